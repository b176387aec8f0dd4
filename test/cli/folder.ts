import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './run.js';

/** A folder of its own for one test, with the fixtures in `fixtures/` and whatever files the test names. */
export interface Folder {
  readonly path: string;
  read(name: string): string;
  write(name: string, content: string | Uint8Array, mode?: number): void;
  /** Each file's content by its path, in order; a link counts as what it points to. */
  contents(): ReadonlyMap<string, string>;
  remove(): void;
}

export function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'thread-')));
  cpSync(join(ROOT, 'fixtures'), join(path, 'fixtures'), { recursive: true });
  const folder: Folder = {
    path,
    read: (name) => readFileSync(join(path, name), 'utf8'),
    write(name, content, mode) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
      if (mode !== undefined) chmodSync(join(path, name), mode);
    },
    contents: () => new Map(filesIn(path).map((name) => [name, readFileSync(join(path, name), 'latin1')])),
    remove: () => rmSync(path, { recursive: true }),
  };
  mkdirSync(join(path, 'folder'));
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  return folder;
}

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => !lstatSync(join(path, name)).isDirectory())
    .toSorted();
}
