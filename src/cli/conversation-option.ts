import { Option } from 'commander';

/** Names one of several conversations; `selectConversations` finds it. */
export function conversationOption(use = 'only this conversation of a file of several'): Option {
  return new Option('--conversation <id>', `${use}: its index, or its id`);
}
