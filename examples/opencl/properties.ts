// Print every platform and device, with its properties and image formats.
// After PyOpenCL's dump of properties.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const platforms = cl.getPlatforms();
let known = 0;
for (const platform of platforms) {
  console.log(`${platform.name}: ${platform.version}`);
  for (const device of platform.getDevices()) {
    console.log(`  ${device.name}`);
    for (const name of Object.keys(cl.DeviceInfo) as cl.DeviceInfo[]) {
      const value = answer(device, name);
      if (value === undefined) continue;
      known++;
      console.log(`    ${name.toLowerCase().replaceAll('_', ' ')}: ${value}`);
    }
    // By its number and the kind of the result: queries without a name in this package are possible too.
    const bytes = device.getInfo(cl.DeviceInfo.GLOBAL_MEM_SIZE[0], 'u64');
    console.log(`    memory: ${(Number(bytes) / 2 ** 30).toFixed(1)} GiB`);
    printFormats(device);
  }
}
const passed = platforms.length > 0 && known > 50;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

/** Undefined if the driver does not know the query. */
function answer(device: cl.Device, name: cl.DeviceInfo): string | undefined {
  try {
    return textOf(device.getInfo(name));
  } catch (error) {
    if (error instanceof cl.OpenCLError) return undefined;
    throw error;
  }
}

function textOf(value: cl.InfoValue | undefined): string {
  if (typeof value !== 'object') return String(value);
  return Array.from(value as ArrayLike<number | bigint | cl.NameVersion>, (item) =>
    typeof item === 'object' ? `${item.name} ${item.version}` : String(item),
  ).join(', ');
}

function printFormats(device: cl.Device): void {
  if (!device.imageSupport) return;
  using ctx = new cl.Context(device);
  for (const type of ['IMAGE1D', 'IMAGE2D', 'IMAGE3D'] as const) {
    const formats = cl.getSupportedImageFormats(ctx, cl.MemFlags.READ_ONLY, cl.MemObjectType[type]);
    console.log(`    ${type.toLowerCase()} formats: ${formats.map(String).join(', ')}`);
  }
}
