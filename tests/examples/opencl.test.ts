import { runExamples } from '../helpers/examples.ts';

// A file of its own, so that it runs beside the other half.
runExamples('opencl');
