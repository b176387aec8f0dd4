/** How text reaches the reader: the edge knows terminals, and reporters know what to say. */
export interface Page {
  /** Untrusted text on one line, without control characters. */
  readonly oneLine: (text: string) => string;
  /** One line of JSON that is safe to print. */
  readonly json: (value: unknown) => string;
  readonly paint: (style: 'good' | 'bad' | 'added' | 'removed' | 'dim', text: string) => string;
}
