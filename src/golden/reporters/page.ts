import type { Screen } from '../../diff/screen.js';

/** How text reaches the reader: the edge knows terminals, and reporters know what to say. */
export interface Page {
  readonly screen: Screen;
  /** One line of JSON that is safe to print. */
  readonly json: (value: unknown) => string;
}
