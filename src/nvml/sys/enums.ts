// The columns: value, whose fault it is, and what to do about it. `absent`: this device, driver or user gets no answer to
// the question. `lost`: nothing can be asked of the device any more.
export const status = {
  NVML_SUCCESS: [0, 'none', ''],
  NVML_ERROR_UNINITIALIZED: [1, 'lost', 'Something else in this process has shut NVML down'],
  NVML_ERROR_INVALID_ARGUMENT: [2, 'logic', 'Check the argument; another kind of GPU may take it'],
  NVML_ERROR_NOT_SUPPORTED: [3, 'absent', 'Do without: this device does not have it'],
  NVML_ERROR_NO_PERMISSION: [4, 'absent', 'Run as root, or have the administrator allow it'],
  NVML_ERROR_ALREADY_INITIALIZED: [5, 'none', ''],
  NVML_ERROR_NOT_FOUND: [6, 'absent', 'Check the name or the number: there is nothing of it'],
  NVML_ERROR_INSUFFICIENT_SIZE: [7, 'logic', 'Give more room for the answer'],
  NVML_ERROR_INSUFFICIENT_POWER: [8, 'runtime', "Attach the GPU's power cables"],
  NVML_ERROR_DRIVER_NOT_LOADED: [9, 'lost', "Load NVIDIA's kernel driver: see nvidia-smi and the system log"],
  NVML_ERROR_TIMEOUT: [10, 'runtime', 'Wait longer'],
  NVML_ERROR_IRQ_ISSUE: [11, 'runtime', "Look at the kernel's log: an interrupt of the GPU is missing"],
  NVML_ERROR_LIBRARY_NOT_FOUND: [12, 'runtime', "Install the driver's libraries whole: one that NVML loads is missing"],
  NVML_ERROR_FUNCTION_NOT_FOUND: [13, 'absent', 'Update the NVIDIA driver: this one lacks the function'],
  NVML_ERROR_CORRUPTED_INFOROM: [14, 'runtime', 'Have the board serviced: its infoROM is damaged'],
  NVML_ERROR_GPU_IS_LOST: [15, 'lost', 'Restart the machine: the GPU no longer answers on its bus'],
  NVML_ERROR_RESET_REQUIRED: [16, 'lost', 'Reset the GPU, or restart the machine'],
  NVML_ERROR_OPERATING_SYSTEM: [17, 'runtime', 'Check the permissions of /dev/nvidia* and the control groups'],
  NVML_ERROR_LIB_RM_VERSION_MISMATCH: [
    18,
    'lost',
    "Restart the machine: the driver's library and its kernel module are of different versions",
  ],
  NVML_ERROR_IN_USE: [19, 'runtime', 'Try again when nothing else uses the GPU'],
  NVML_ERROR_MEMORY: [20, 'runtime', 'Free host memory'],
  NVML_ERROR_NO_DATA: [21, 'absent', 'Ask again later: nothing was measured yet'],
  NVML_ERROR_VGPU_ECC_NOT_SUPPORTED: [22, 'absent', 'Turn ECC off for this, or do without'],
  NVML_ERROR_INSUFFICIENT_RESOURCES: [23, 'runtime', 'Free what the GPU holds'],
  NVML_ERROR_FREQ_NOT_SUPPORTED: [24, 'logic', 'Take a frequency that the device lists as supported'],
  NVML_ERROR_ARGUMENT_VERSION_MISMATCH: [25, 'absent', 'Update the NVIDIA driver: this one has another version of it'],
  NVML_ERROR_DEPRECATED: [26, 'absent', 'Do without: the driver no longer has it'],
  NVML_ERROR_NOT_READY: [27, 'absent', 'Ask again later'],
  NVML_ERROR_GPU_NOT_FOUND: [28, 'lost', 'Check nvidia-smi; the driver sees no GPU'],
  NVML_ERROR_INVALID_STATE: [29, 'logic', 'Check what state the device is in: what was asked is not possible in it'],
  NVML_ERROR_RESET_TYPE_NOT_SUPPORTED: [30, 'logic', ''],
  NVML_ERROR_UNKNOWN: [999, 'runtime', "Look at the kernel's log: the driver failed inside"],
} as const;

/** Product lines. */
export const Brand = {
  UNKNOWN: 0,
  QUADRO: 1,
  TESLA: 2,
  NVS: 3,
  GRID: 4,
  GEFORCE: 5,
  TITAN: 6,
  NVIDIA_VAPPS: 7,
  NVIDIA_VPC: 8,
  NVIDIA_VCS: 9,
  NVIDIA_VWS: 10,
  NVIDIA_CLOUD_GAMING: 11,
  QUADRO_RTX: 12,
  NVIDIA_RTX: 13,
  NVIDIA: 14,
  GEFORCE_RTX: 15,
  TITAN_RTX: 16,
} as const;

/** Clock domains. */
export const ClockType = {
  GRAPHICS: 0,
  SM: 1,
  MEM: 2,
  VIDEO: 3,
} as const;

/** Which clock of a domain. */
export const ClockId = {
  CURRENT: 0,
  APP_CLOCK_TARGET: 1,
  APP_CLOCK_DEFAULT: 2,
  CUSTOMER_BOOST_MAX: 3,
} as const;

/** Which processes may make contexts on a device. */
export const ComputeMode = {
  DEFAULT: 0,
  EXCLUSIVE_THREAD: 1,
  PROHIBITED: 2,
  EXCLUSIVE_PROCESS: 3,
} as const;

/** Counts since the driver was loaded, and for the life of the device. */
export const EccCounterType = {
  VOLATILE_ECC: 0,
  AGGREGATE_ECC: 1,
} as const;

/** Off and on. */
export const EnableState = {
  DISABLED: 0,
  ENABLED: 1,
} as const;

/** What one device may be able to do with another. */
export const P2PCapability = {
  READ: 0,
  WRITE: 1,
  NVLINK: 2,
  ATOMICS: 3,
  PROP: 4,
  UNKNOWN: 5,
} as const;

/** Whether it can, and why not. */
export const P2PStatus = {
  OK: 0,
  CHIPSET_NOT_SUPPORTED: 1,
  GPU_NOT_SUPPORTED: 2,
  IOH_TOPOLOGY_NOT_SUPPORTED: 3,
  DISABLED_BY_REGKEY: 4,
  NOT_SUPPORTED: 5,
  UNKNOWN: 6,
} as const;

/** Where the ways of two devices meet. */
export const TopologyLevel = {
  INTERNAL: 0,
  SINGLE: 10,
  MULTIPLE: 20,
  HOSTBRIDGE: 30,
  NODE: 40,
  SYSTEM: 50,
} as const;

/** What is at the other end of a link. */
export const NvLinkDeviceType = {
  GPU: 0,
  IBMNPU: 1,
  SWITCH: 2,
  UNKNOWN: 255,
} as const;

/** Versions of links. */
export const NvLinkVersion = {
  '1_0': 1,
  '2_0': 2,
  '2_2': 3,
  '3_0': 4,
  '3_1': 5,
  '4_0': 6,
  '5_0': 7,
} as const;

/** What a link can do. */
export const NvLinkCapability = {
  P2P_SUPPORTED: 0,
  SYSMEM_ACCESS: 1,
  P2P_ATOMICS: 2,
  SYSMEM_ATOMICS: 3,
  SLI_BRIDGE: 4,
  VALID: 5,
} as const;

/** Error counters of a link. */
export const NvLinkErrorCounter = {
  DL_REPLAY: 0,
  DL_RECOVERY: 1,
  DL_CRC_FLIT: 2,
  DL_CRC_DATA: 3,
  DL_ECC_DATA: 4,
} as const;

/** Whether an error was corrected. */
export const MemoryErrorType = {
  CORRECTED: 0,
  UNCORRECTED: 1,
} as const;

/** Where a memory error was. */
export const MemoryLocation = {
  L1_CACHE: 0,
  L2_CACHE: 1,
  DRAM: 2,
  DEVICE_MEMORY: 2,
  REGISTER_FILE: 3,
  TEXTURE_MEMORY: 4,
  TEXTURE_SHM: 5,
  CBU: 6,
  SRAM: 7,
} as const;

/** Why a page was retired. */
export const PageRetirementCause = {
  MULTIPLE_SINGLE_BIT_ECC_ERRORS: 0,
  DOUBLE_BIT_ECC_ERROR: 1,
} as const;

/** Directions of PCIe traffic. */
export const PcieCounter = {
  TX_BYTES: 0,
  RX_BYTES: 1,
} as const;

/** What holds clocks down. */
export const PerfPolicy = {
  POWER: 0,
  THERMAL: 1,
  SYNC_BOOST: 2,
  BOARD_LIMIT: 3,
  LOW_UTILIZATION: 4,
  RELIABILITY: 5,
  TOTAL_APP_CLOCKS: 10,
  TOTAL_BASE_CLOCKS: 11,
} as const;

/** What the driver samples. */
export const SamplingType = {
  TOTAL_POWER_SAMPLES: 0,
  GPU_UTILIZATION_SAMPLES: 1,
  MEMORY_UTILIZATION_SAMPLES: 2,
  ENC_UTILIZATION_SAMPLES: 3,
  DEC_UTILIZATION_SAMPLES: 4,
  PROCESSOR_CLK_SAMPLES: 5,
  MEMORY_CLK_SAMPLES: 6,
} as const;

/** Sensors. */
export const TemperatureSensor = {
  GPU: 0,
} as const;

/** Temperatures at which something happens. */
export const TemperatureThreshold = {
  SHUTDOWN: 0,
  SLOWDOWN: 1,
  MEM_MAX: 2,
  GPU_MAX: 3,
  ACOUSTIC_MIN: 4,
  ACOUSTIC_CURR: 5,
  ACOUSTIC_MAX: 6,
} as const;

/** How a value is to be read. */
export const ValueType = {
  DOUBLE: 0,
  UNSIGNED_INT: 1,
  UNSIGNED_LONG: 2,
  UNSIGNED_LONG_LONG: 3,
  SIGNED_LONG_LONG: 4,
  SIGNED_INT: 5,
  UNSIGNED_SHORT: 6,
} as const;

/** Generations of GPUs. */
export const Architecture = {
  KEPLER: 2,
  MAXWELL: 3,
  PASCAL: 4,
  VOLTA: 5,
  TURING: 6,
  AMPERE: 7,
  ADA: 8,
  HOPPER: 9,
  BLACKWELL: 10,
  UNKNOWN: 0xffff_ffff,
} as const;

/** Bits that say why clocks are lower than they could be. Newer headers call them event reasons. */
export const ClocksThrottleReason = {
  GpuIdle: 0x1,
  ApplicationsClocksSetting: 0x2,
  SwPowerCap: 0x4,
  HwSlowdown: 0x8,
  SyncBoost: 0x10,
  SwThermalSlowdown: 0x20,
  HwThermalSlowdown: 0x40,
  HwPowerBrakeSlowdown: 0x80,
  DisplayClockSetting: 0x100,
} as const;

/** Bits of the events that a set can wait for. */
export const EventType = {
  SingleBitEccError: 0x1,
  DoubleBitEccError: 0x2,
  PState: 0x4,
  XidCriticalError: 0x8,
  Clock: 0x10,
  PowerSourceChange: 0x80,
  MigConfigChange: 0x100,
  SingleBitEccErrorStorm: 0x200,
  DramRetirementEvent: 0x400,
  DramRetirementFailure: 0x800,
  NonFatalPoisonError: 0x1000,
  FatalPoisonError: 0x2000,
  GpuUnavailableError: 0x4000,
  GpuRecoveryAction: 0x8000,
} as const;

/** Numbers of values that have no function of their own. The counters of single NVLink lanes are left out. */
export const FieldId = {
  ECC_CURRENT: 1,
  ECC_PENDING: 2,
  ECC_SBE_VOL_TOTAL: 3,
  ECC_DBE_VOL_TOTAL: 4,
  ECC_SBE_AGG_TOTAL: 5,
  ECC_DBE_AGG_TOTAL: 6,
  ECC_SBE_VOL_DEV: 11,
  ECC_DBE_VOL_DEV: 12,
  ECC_SBE_VOL_REG: 13,
  ECC_DBE_VOL_REG: 14,
  ECC_SBE_VOL_TEX: 15,
  ECC_DBE_VOL_TEX: 16,
  ECC_DBE_VOL_CBU: 17,
  ECC_SBE_AGG_DEV: 22,
  ECC_DBE_AGG_DEV: 23,
  ECC_SBE_AGG_REG: 24,
  ECC_DBE_AGG_REG: 25,
  ECC_SBE_AGG_TEX: 26,
  ECC_DBE_AGG_TEX: 27,
  ECC_DBE_AGG_CBU: 28,
  RETIRED_SBE: 29,
  RETIRED_DBE: 30,
  RETIRED_PENDING: 31,
  NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: 38,
  NVLINK_CRC_DATA_ERROR_COUNT_TOTAL: 45,
  NVLINK_REPLAY_ERROR_COUNT_TOTAL: 52,
  NVLINK_RECOVERY_ERROR_COUNT_TOTAL: 59,
  PERF_POLICY_POWER: 74,
  PERF_POLICY_THERMAL: 75,
  PERF_POLICY_SYNC_BOOST: 76,
  PERF_POLICY_BOARD_LIMIT: 77,
  PERF_POLICY_LOW_UTILIZATION: 78,
  PERF_POLICY_RELIABILITY: 79,
  PERF_POLICY_TOTAL_APP_CLOCKS: 80,
  PERF_POLICY_TOTAL_BASE_CLOCKS: 81,
  MEMORY_TEMP: 82,
  TOTAL_ENERGY_CONSUMPTION: 83,
  NVLINK_SPEED_MBPS_COMMON: 90,
  NVLINK_LINK_COUNT: 91,
  RETIRED_PENDING_SBE: 92,
  RETIRED_PENDING_DBE: 93,
  PCIE_REPLAY_COUNTER: 94,
  PCIE_REPLAY_ROLLOVER_COUNTER: 95,
  NVLINK_THROUGHPUT_DATA_TX: 138,
  NVLINK_THROUGHPUT_DATA_RX: 139,
  NVLINK_THROUGHPUT_RAW_TX: 140,
  NVLINK_THROUGHPUT_RAW_RX: 141,
  REMAPPED_COR: 142,
  REMAPPED_UNC: 143,
  REMAPPED_PENDING: 144,
  REMAPPED_FAILURE: 145,
  NVLINK_REMOTE_NVLINK_ID: 146,
  NVSWITCH_CONNECTED_LINK_COUNT: 147,
  NVLINK_ECC_DATA_ERROR_COUNT_TOTAL: 160,
  NVLINK_ERROR_DL_REPLAY: 161,
  NVLINK_ERROR_DL_RECOVERY: 162,
  NVLINK_ERROR_DL_CRC: 163,
  NVLINK_GET_SPEED: 164,
  NVLINK_GET_STATE: 165,
  NVLINK_GET_VERSION: 166,
  NVLINK_GET_POWER_STATE: 167,
  NVLINK_GET_POWER_THRESHOLD: 168,
  PCIE_L0_TO_RECOVERY_COUNTER: 169,
  C2C_LINK_COUNT: 170,
  C2C_LINK_GET_STATUS: 171,
  C2C_LINK_GET_MAX_BW: 172,
  PCIE_COUNT_CORRECTABLE_ERRORS: 173,
  PCIE_COUNT_NAKS_RECEIVED: 174,
  PCIE_COUNT_RECEIVER_ERROR: 175,
  PCIE_COUNT_BAD_TLP: 176,
  PCIE_COUNT_NAKS_SENT: 177,
  PCIE_COUNT_BAD_DLLP: 178,
  PCIE_COUNT_NON_FATAL_ERROR: 179,
  PCIE_COUNT_FATAL_ERROR: 180,
  PCIE_COUNT_UNSUPPORTED_REQ: 181,
  PCIE_COUNT_LCRC_ERROR: 182,
  PCIE_COUNT_LANE_ERROR: 183,
  IS_RESETLESS_MIG_SUPPORTED: 184,
  POWER_AVERAGE: 185,
  POWER_INSTANT: 186,
  POWER_MIN_LIMIT: 187,
  POWER_MAX_LIMIT: 188,
  POWER_DEFAULT_LIMIT: 189,
  POWER_CURRENT_LIMIT: 190,
  ENERGY: 191,
  POWER_REQUESTED_LIMIT: 192,
  TEMPERATURE_SHUTDOWN_TLIMIT: 193,
  TEMPERATURE_SLOWDOWN_TLIMIT: 194,
  TEMPERATURE_MEM_MAX_TLIMIT: 195,
  TEMPERATURE_GPU_MAX_TLIMIT: 196,
  PCIE_COUNT_TX_BYTES: 197,
  PCIE_COUNT_RX_BYTES: 198,
  IS_MIG_MODE_INDEPENDENT_MIG_QUERY_CAPABLE: 199,
  NVLINK_GET_POWER_THRESHOLD_MAX: 200,
  NVLINK_COUNT_XMIT_PACKETS: 201,
  NVLINK_COUNT_XMIT_BYTES: 202,
  NVLINK_COUNT_RCV_PACKETS: 203,
  NVLINK_COUNT_RCV_BYTES: 204,
  NVLINK_COUNT_MALFORMED_PACKET_ERRORS: 206,
  NVLINK_COUNT_BUFFER_OVERRUN_ERRORS: 207,
  NVLINK_COUNT_RCV_ERRORS: 208,
  NVLINK_COUNT_RCV_REMOTE_ERRORS: 209,
  NVLINK_COUNT_RCV_GENERAL_ERRORS: 210,
  NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS: 211,
  NVLINK_COUNT_XMIT_DISCARDS: 212,
  NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS: 213,
  NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS: 214,
  NVLINK_COUNT_LINK_RECOVERY_EVENTS: 215,
  NVLINK_COUNT_EFFECTIVE_ERRORS: 219,
  NVLINK_COUNT_EFFECTIVE_BER: 220,
  NVLINK_COUNT_SYMBOL_ERRORS: 221,
  NVLINK_COUNT_SYMBOL_BER: 222,
  PCIE_OUTBOUND_ATOMICS_MASK: 228,
  PCIE_INBOUND_ATOMICS_MASK: 229,
  GET_GPU_RECOVERY_ACTION: 230,
  C2C_LINK_ERROR_INTR: 231,
  C2C_LINK_ERROR_REPLAY: 232,
  C2C_LINK_ERROR_REPLAY_B2B: 233,
  C2C_LINK_POWER_STATE: 234,
  CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN: 269,
  CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN: 270,
  CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN: 271,
} as const;
