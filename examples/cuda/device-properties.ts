// Print every device, with its properties and its non-zero attributes by name.
// After PyCUDA's dump_properties.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

let passed = cuda.Device.count() > 0;
for (let i = 0; i < cuda.Device.count(); i++) {
  const device = new cuda.Device(i);
  const [major, minor] = device.computeCapability;
  console.log(`device ${i}: ${device.name}`);
  console.log(`  PCI bus id          ${device.busId}`);
  console.log(`  compute capability  ${major}.${minor}`);
  console.log(`  memory              ${(device.totalMemory / 2 ** 30).toFixed(1)} GiB`);

  const attributes = Object.entries(device.getAttributes());
  for (const [name, value] of attributes) {
    if (value !== 0) console.log(`  ${name.toLowerCase().replaceAll('_', ' ')}: ${value}`);
  }

  // Each way to query an attribute.
  const { WARP_SIZE: number } = cuda.DeviceAttribute;
  const asked = [device.warpSize, device.getAttribute('WARP_SIZE'), device.getAttribute(number)];
  passed &&= attributes.length > 50 && asked.every((size) => size === 32);
}
const { free, total } = cuda.memGetInfo();
console.log(`of the first one's memory ${((100 * free) / total).toFixed(0)} % are free`);
passed &&= free <= total;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
