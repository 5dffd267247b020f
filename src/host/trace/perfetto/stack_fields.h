/* Field numbers of the Perfetto messages for sampled call stacks. */
#ifndef DEJANK_TRACE_PERFETTO_STACK_FIELDS_H
#define DEJANK_TRACE_PERFETTO_STACK_FIELDS_H

/* Fields of TracePacket. */
enum {
    DJ_PF_PACKET_MODULE_SYMBOLS = 61,
    DJ_PF_PACKET_PERF_SAMPLE = 66,
    DJ_PF_PACKET_STACK_SAMPLE = 135
};

/* Fields of PerfSample. */
enum {
    DJ_PF_SAMPLE_CPU = 1,
    DJ_PF_SAMPLE_PID = 2,
    DJ_PF_SAMPLE_TID = 3,
    DJ_PF_SAMPLE_CALLSTACK = 4, /* Id of the call stack. */
    DJ_PF_SAMPLE_MODE = 5,
    DJ_PF_SAMPLE_UNWIND_ERROR = 16,
    DJ_PF_SAMPLE_RECORDS_LOST = 17,
    DJ_PF_SAMPLE_SKIPPED = 18
};
/* Values of DJ_PF_SAMPLE_MODE and DJ_PF_SAMPLE_SKIPPED. */
enum { DJ_PF_MODE_KERNEL = 1, DJ_PF_MODE_USER = 2 };
enum { DJ_PF_SKIPPED_UNWIND = 2 };
/* Values of DJ_PF_SAMPLE_UNWIND_ERROR. */
enum { DJ_PF_UNWIND_NONE = 1, DJ_PF_UNWIND_NO_INFO = 3, DJ_PF_UNWIND_UNSUPPORTED = 4 };

/* Fields of TracePacketDefaults, PerfSampleDefaults, Timebase and Tracepoint. */
enum {
    DJ_PF_DEFAULTS_PERF_SAMPLE = 12,
    DJ_PF_PERF_DEFAULTS_TIMEBASE = 1,
    DJ_PF_TIMEBASE_PERIOD = 1,
    DJ_PF_TIMEBASE_FREQUENCY = 2,
    DJ_PF_TIMEBASE_TRACEPOINT = 3,
    DJ_PF_TIMEBASE_COUNTER = 4,
    DJ_PF_TRACEPOINT_NAME = 1
};
enum { DJ_PF_COUNTER_CPU_CLOCK = 1, DJ_PF_COUNTER_TASK_CLOCK = 3 };

/* Fields of InternedData. */
enum {
    DJ_PF_INTERNED_FUNCTIONS = 5,
    DJ_PF_INTERNED_FRAMES = 6,
    DJ_PF_INTERNED_CALLSTACKS = 7,
    DJ_PF_INTERNED_BUILD_IDS = 16,
    DJ_PF_INTERNED_PATHS = 17,
    DJ_PF_INTERNED_MAPPINGS = 19
};
/* Fields of Mapping, Frame and Callstack. Field 1 is the id of the entry. */
enum {
    DJ_PF_MAPPING_BUILD_ID = 2,
    DJ_PF_MAPPING_START_OFFSET = 3,
    DJ_PF_MAPPING_START = 4,
    DJ_PF_MAPPING_END = 5,
    DJ_PF_MAPPING_LOAD_BIAS = 6,
    DJ_PF_MAPPING_PATH = 7,
    DJ_PF_MAPPING_EXACT_OFFSET = 8
};
enum { DJ_PF_FRAME_FUNCTION = 2, DJ_PF_FRAME_MAPPING = 3, DJ_PF_FRAME_ADDRESS = 4 };
enum { DJ_PF_CALLSTACK_FRAMES = 2 };

/* Fields of ModuleSymbols, AddressSymbols and Line. */
enum {
    DJ_PF_MODULE_SYMBOLS_PATH = 1,
    DJ_PF_MODULE_SYMBOLS_BUILD_ID = 2,
    DJ_PF_MODULE_SYMBOLS_ADDRESSES = 3
};
enum { DJ_PF_ADDRESS_SYMBOLS_ADDRESS = 1, DJ_PF_ADDRESS_SYMBOLS_LINES = 2 };
enum { DJ_PF_LINE_FUNCTION = 1, DJ_PF_LINE_FILE = 2, DJ_PF_LINE_NUMBER = 3 };

/* Fields of StackSample, and the fields of InternedData to which only it refers. */
enum {
    DJ_PF_STACK_SAMPLE_TASK = 1,
    DJ_PF_STACK_SAMPLE_TASK_IID = 2,
    DJ_PF_STACK_SAMPLE_CALLSTACK = 5,
    DJ_PF_STACK_SAMPLE_ERROR = 7,
    DJ_PF_STACK_SAMPLE_ERROR_IID = 8,
    DJ_PF_STACK_SAMPLE_COUNTER = 9,
    DJ_PF_STACK_SAMPLE_COUNTER_IID = 10,
    DJ_PF_STACK_SAMPLE_WEIGHT = 11
};
enum { DJ_PF_INTERNED_TASK_CONTEXTS = 2000, DJ_PF_INTERNED_COUNTERS = 2002 };
/* Fields of TaskContext and CounterDescriptor, and a value of the latter's unit. */
enum { DJ_PF_TASK_CONTEXT_PID = 2, DJ_PF_TASK_CONTEXT_TID = 3 };
enum { DJ_PF_DESCRIPTOR_UNIT = 3, DJ_PF_DESCRIPTOR_MULTIPLIER = 5 };
enum { DJ_PF_UNIT_NANOSECONDS = 1 };

#endif
