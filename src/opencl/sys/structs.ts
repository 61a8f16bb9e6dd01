export const structs = {
  cl_buffer_region: { size: 16, fields: { origin: 0, size: 8 } },
  cl_image_format: { size: 8, fields: { image_channel_order: 0, image_channel_data_type: 4 } },
  cl_image_desc: {
    size: 72,
    fields: {
      image_type: 0,
      image_width: 8,
      image_height: 16,
      image_depth: 24,
      image_array_size: 32,
      image_row_pitch: 40,
      image_slice_pitch: 48,
      num_mip_levels: 56,
      num_samples: 60,
      buffer: 64,
      mem_object: 64,
    },
  },
  cl_device_pci_bus_info_khr: { size: 16, fields: { pci_domain: 0, pci_bus: 4, pci_device: 8, pci_function: 12 } },
  cl_device_topology_amd: {
    size: 24,
    fields: { 'raw.type': 0, 'pcie.bus': 21, 'pcie.device': 22, 'pcie.function': 23 },
  },
  cl_name_version: { size: 68, fields: { version: 0, name: 4 } },
} as const;
