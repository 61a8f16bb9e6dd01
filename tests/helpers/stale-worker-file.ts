/** Takes the place of src/cpu/files/worker-file.ts where the workers' build is older than their sources. */
export function workerFile(): never {
  throw new Error(process.env['RAWKERNEL_TEST_STALE_WORKERS']);
}
