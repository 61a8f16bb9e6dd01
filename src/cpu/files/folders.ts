import { fileURLToPath } from 'node:url';

/** The folder `kernels/cpu` of the package. */
export const LIBRARY_FOLDER: string = fileURLToPath(new URL('../../../kernels/cpu', import.meta.url));

/** The folder of the package's build, from its sources too: workers run from there. */
export const BUILD_FOLDER: string = fileURLToPath(new URL('../../../dist', import.meta.url));

/** The package's package.json. */
export const PACKAGE_FILE: string = fileURLToPath(new URL('../../../package.json', import.meta.url));
