import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/root.ts';
import { editorPicture } from './editor.ts';
import { stoppedPicture } from './stopped.ts';

writeFileSync(join(root, 'docs/images/editor.svg'), editorPicture());
writeFileSync(join(root, 'docs/images/debugger.svg'), await stoppedPicture());
