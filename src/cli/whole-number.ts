import { InvalidArgumentError } from 'commander';

/** Reads an option's value that counts something from 0; `what` names it in the message for another value. */
export function wholeNumber(what: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(`${what} is a whole number from 0.`);
    return Number(text);
  };
}
