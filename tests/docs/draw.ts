import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/root.ts';
import { editorPicture } from './editor.ts';

writeFileSync(join(root, 'docs/images/editor.svg'), editorPicture());
