/*
 * Field numbers of the Perfetto messages that dejank reads or writes. Perfetto's format
 * is proto2, and existing field numbers never change.
 */
#ifndef DEJANK_TRACE_PERFETTO_FIELDS_H
#define DEJANK_TRACE_PERFETTO_FIELDS_H

#include "base/proto.h"

/* Finds the next field with the number `number` whose value is a string or a message.
 * Returns false at the end of the message. */
static inline bool dj_perfetto_find_next_bytes(struct dj_proto_message *message,
                                               uint32_t number, struct dj_str *bytes)
{
    struct dj_proto_field field;
    while (dj_proto_next(message, &field)) {
        if (field.number == number && field.wire == DJ_PROTO_BYTES) {
            *bytes = field.bytes;
            return true;
        }
    }
    return false;
}

/* Declares the array `got` and decodes the message `bytes` into it. got[N] is the last
 * value of the field with number N, for N up to `last`. */
#define DJ_PF_FIELDS(got, bytes, last)                                                   \
    struct dj_proto_field got[(last) + 1];                                               \
    dj_proto_collect(bytes, got, (last) + 1)

/* Returns the id of a thread or process, or 0 if it is invalid. */
static inline int32_t dj_perfetto_read_id(const struct dj_proto_field *field)
{
    int64_t id = dj_proto_int(field);
    return id > 0 && id <= INT32_MAX ? (int32_t)id : 0;
}

enum { DJ_PF_TRACE_PACKET = 1 };

/* Fields of TracePacket. */
enum {
    DJ_PF_PACKET_FTRACE_EVENTS = 1,
    DJ_PF_PACKET_PROCESS_TREE = 2,
    DJ_PF_PACKET_UID = 3,
    DJ_PF_PACKET_CLOCK_SNAPSHOT = 6,
    DJ_PF_PACKET_TIMESTAMP = 8,
    DJ_PF_PACKET_SEQUENCE_ID = 10,
    DJ_PF_PACKET_TRACK_EVENT = 11,
    DJ_PF_PACKET_INTERNED_DATA = 12,
    DJ_PF_PACKET_SEQUENCE_FLAGS = 13,
    DJ_PF_PACKET_TRACE_CONFIG = 33,
    DJ_PF_PACKET_FTRACE_STATS = 34,
    DJ_PF_PACKET_TRACE_STATS = 35,
    DJ_PF_PACKET_STATE_CLEARED = 41, /* Newer traces use DJ_PF_FLAG_CLEARED instead. */
    DJ_PF_PACKET_PREVIOUS_DROPPED = 42,
    DJ_PF_PACKET_PROCESS_DESCRIPTOR = 43,
    DJ_PF_PACKET_THREAD_DESCRIPTOR = 44,
    DJ_PF_PACKET_SYSTEM_INFO = 45,
    DJ_PF_PACKET_COMPRESSED = 50,
    DJ_PF_PACKET_GPU_COUNTERS = 52,
    DJ_PF_PACKET_CLOCK_ID = 58,
    DJ_PF_PACKET_DEFAULTS = 59,
    DJ_PF_PACKET_TRACK_DESCRIPTOR = 60,
    DJ_PF_PACKET_CPU_INFO = 67,
    DJ_PF_PACKET_FRAME_TIMELINE = 76,
    DJ_PF_PACKET_FIRST_ON_SEQUENCE = 87,
    DJ_PF_PACKET_TASK_STATE = 117,
    DJ_PF_PACKET_TASK_FREQUENCY = 118,
    DJ_PF_PACKET_TASK_RENAME = 120,
    DJ_PF_PACKET_TASK_TREE = 122,
    DJ_PF_PACKET_COMPRESSED_ZSTD = 133
};

/* Fields of CpuInfo and of its message Cpu. CpuInfo contains one Cpu for each CPU. They
 * are sorted by the numbers of the CPUs. */
enum { DJ_PF_CORES_CORE = 1 };
enum { DJ_PF_CORE_FREQUENCIES = 2 };

/* Bits of the field sequence_flags. */
enum { DJ_PF_FLAG_CLEARED = 1, DJ_PF_FLAG_NEEDS_STATE = 2 };

/* Fields of TracePacketDefaults and TrackEventDefaults. */
enum { DJ_PF_DEFAULTS_TRACK_EVENT = 11, DJ_PF_DEFAULTS_CLOCK_ID = 58 };

/* Fields of ClockSnapshot, and of its message Clock. */
enum { DJ_PF_SNAPSHOT_CLOCK = 1, DJ_PF_SNAPSHOT_PRIMARY = 2 };
enum {
    DJ_PF_CLOCK_ID = 1,
    DJ_PF_CLOCK_TIMESTAMP = 2,
    DJ_PF_CLOCK_INCREMENTAL = 3,
    DJ_PF_CLOCK_UNIT_NS = 4
};
/* Ids of clocks. */
enum {
    DJ_PF_REALTIME = 1,
    DJ_PF_MONOTONIC = 3,
    DJ_PF_MONOTONIC_RAW = 5,
    DJ_PF_BOOTTIME = 6,
    /* From 64 to 127, the ids belong to clocks of a sequence. Each sequence has its own
     * clocks. */
    DJ_PF_SEQUENCE_CLOCK = 64,
    DJ_PF_SEQUENCE_CLOCK_LAST = 127
};

/* Fields of InternedData. Each of its entries has the fields iid and name. For kernel
 * symbols, the name is called str. */
enum { DJ_PF_INTERNED_EVENT_NAMES = 2, DJ_PF_INTERNED_KERNEL_SYMBOLS = 26 };
enum { DJ_PF_INTERNED_IID = 1, DJ_PF_INTERNED_NAME = 2 };

/* Fields of ProcessTree, and of its messages Process and Thread. */
enum { DJ_PF_TREE_PROCESS = 1, DJ_PF_TREE_THREAD = 2 };
enum {
    DJ_PF_PROCESS_PID = 1,
    DJ_PF_PROCESS_CMDLINE = 3,
    /* 1 if the command line is only the name of the main thread. */
    DJ_PF_PROCESS_IS_COMM = 9
};
enum { DJ_PF_THREAD_TID = 1, DJ_PF_THREAD_NAME = 2, DJ_PF_THREAD_TGID = 3 };

/* Fields of TrackDescriptor, and of the messages in it. */
enum {
    DJ_PF_TRACK_UUID = 1,
    DJ_PF_TRACK_NAME = 2,
    DJ_PF_TRACK_PROCESS = 3,
    DJ_PF_TRACK_THREAD = 4,
    DJ_PF_TRACK_PARENT = 5,
    DJ_PF_TRACK_COUNTER = 8,
    /* Perfetto's name is disallow_merging_with_system_tracks. */
    DJ_PF_TRACK_UNMERGED = 9,
    DJ_PF_TRACK_STATIC_NAME = 10,
    DJ_PF_TRACK_ATRACE_NAME = 13
};
enum {
    DJ_PF_PROCESS_DESCRIPTOR_PID = 1,
    DJ_PF_PROCESS_DESCRIPTOR_CMDLINE = 2,
    DJ_PF_PROCESS_DESCRIPTOR_NAME = 6
};
enum {
    DJ_PF_THREAD_DESCRIPTOR_PID = 1,
    DJ_PF_THREAD_DESCRIPTOR_TID = 2,
    DJ_PF_THREAD_DESCRIPTOR_NAME = 5,
    /* Base time of the thread in old traces. An event without an absolute time stores
     * its distance from the previous time of the thread, which is at first this base. */
    DJ_PF_THREAD_DESCRIPTOR_REFERENCE_US = 6
};
enum {
    DJ_PF_COUNTER_MULTIPLIER = 4,
    DJ_PF_COUNTER_INCREMENTAL = 5,
};

/* Fields of TrackEvent. */
enum {
    /* Old traces use this difference instead of the packet's timestamp. */
    DJ_PF_EVENT_DELTA_US = 1,
    DJ_PF_EVENT_LEGACY = 6,
    DJ_PF_EVENT_TYPE = 9,
    DJ_PF_EVENT_NAME_IID = 10,
    DJ_PF_EVENT_TRACK = 11,
    DJ_PF_EVENT_EXTRA_VALUES = 12,
    DJ_PF_EVENT_ABSOLUTE_US = 16,
    DJ_PF_EVENT_NAME = 23,
    DJ_PF_EVENT_COUNTER = 30,
    DJ_PF_EVENT_EXTRA_TRACKS = 31,
    DJ_PF_EVENT_DOUBLE_COUNTER = 44,
    DJ_PF_EVENT_EXTRA_DOUBLE_TRACKS = 45,
    DJ_PF_EVENT_EXTRA_DOUBLE_VALUES = 46,
    DJ_PF_EVENT_FLOWS = 47,            /* The type of the field is fixed64. */
    DJ_PF_EVENT_TERMINATING_FLOWS = 48 /* The type of the field is fixed64. */
};
/* Values of the field `type` of TrackEvent. */
enum {
    DJ_PF_TYPE_BEGIN = 1,
    DJ_PF_TYPE_END = 2,
    DJ_PF_TYPE_INSTANT = 3,
    DJ_PF_TYPE_COUNTER = 4
};
/* Fields of TrackEvent.LegacyEvent. */
enum {
    DJ_PF_LEGACY_NAME_IID = 1,
    DJ_PF_LEGACY_PHASE = 2, /* The letter that Chrome's JSON format uses. */
    DJ_PF_LEGACY_DURATION_US = 3,
    DJ_PF_LEGACY_UNSCOPED_ID = 6,
    DJ_PF_LEGACY_LOCAL_ID = 10,
    DJ_PF_LEGACY_GLOBAL_ID = 11,
    DJ_PF_LEGACY_PID = 18,
    DJ_PF_LEGACY_TID = 19
};

/* Fields of FtraceEventBundle. */
enum {
    DJ_PF_BUNDLE_CPU = 1,
    DJ_PF_BUNDLE_EVENT = 2,
    DJ_PF_BUNDLE_LOST = 3,
    DJ_PF_BUNDLE_COMPACT = 4,
    /* Clock of the events: 1 unknown, 2 global, 3 local, 4 mono_raw. If the field is
     * missing, it is the boot clock. */
    DJ_PF_BUNDLE_CLOCK = 5,
    /* Values of the bundle's clock and of the boot clock at the same moment. */
    DJ_PF_BUNDLE_FTRACE_TIMESTAMP = 6,
    DJ_PF_BUNDLE_BOOT_TIMESTAMP = 7
};
/* Fields of CompactSched. The fields are packed arrays. Elements with the same index
 * belong to the same event. Each time is the difference to the previous time. */
enum {
    DJ_PF_COMPACT_SWITCH_TIME = 1,
    DJ_PF_COMPACT_SWITCH_STATE = 2, /* State of the thread that leaves the CPU. */
    DJ_PF_COMPACT_SWITCH_PID = 3,   /* Id of the thread that starts to run. */
    DJ_PF_COMPACT_NAMES = 5,
    DJ_PF_COMPACT_SWITCH_NAME = 6,
    DJ_PF_COMPACT_WAKING_TIME = 7,
    DJ_PF_COMPACT_WAKING_PID = 8,
    DJ_PF_COMPACT_WAKING_CPU = 9,
    DJ_PF_COMPACT_WAKING_NAME = 11,
    DJ_PF_COMPACT_WAKING_FLAGS = 12,
    DJ_PF_COMPACT_FIELDS = 13
};
/* Fields of FtraceEvent. An FtraceEvent also contains one message for the event itself.
 * The number of this message is in the table of kernel events
 * (trace/kernel/tracepoints.h), or is one of the numbers below. */
enum {
    DJ_PF_FTRACE_TIMESTAMP = 1,
    DJ_PF_FTRACE_TID = 2,
    DJ_PF_FTRACE_PRINT = 3, /* Message with the fields ip = 1 and buf = 2. */
    DJ_PF_FTRACE_FLAGS = 5,
    /* Message with the fields pid = 1, trace_name = 2 and trace_begin = 3. */
    DJ_PF_FTRACE_MARKING_WRITE = 80,
    DJ_PF_FTRACE_GENERIC = 327
};
enum { DJ_PF_PRINT_TEXT = 2, DJ_PF_SWITCH_PREV_PID = 2 };
enum { DJ_PF_GENERIC_NAME = 1, DJ_PF_GENERIC_FIELD = 2 };
enum {
    DJ_PF_GENERIC_FIELD_NAME = 1,
    DJ_PF_GENERIC_FIELD_STRING = 3,
    DJ_PF_GENERIC_FIELD_INT = 4,
    DJ_PF_GENERIC_FIELD_UINT = 5
};

/* Fields of FrameTimelineEvent, and of the messages in it. */
enum {
    DJ_PF_FRAME_EXPECTED_DISPLAY = 1,
    DJ_PF_FRAME_ACTUAL_DISPLAY = 2,
    DJ_PF_FRAME_EXPECTED_SURFACE = 3,
    DJ_PF_FRAME_ACTUAL_SURFACE = 4,
    DJ_PF_FRAME_END = 5
};
/* Fields that all messages in FrameTimelineEvent have. */
enum { DJ_PF_FRAME_COOKIE = 1, DJ_PF_FRAME_TOKEN = 2 };
enum {
    DJ_PF_DISPLAY_PID = 3,
    DJ_PF_DISPLAY_PRESENT = 4,
    DJ_PF_DISPLAY_ON_TIME = 5,
    DJ_PF_DISPLAY_GPU = 6,
    DJ_PF_DISPLAY_JANK = 7,
    DJ_PF_DISPLAY_PREDICTION = 8,
    DJ_PF_DISPLAY_SEVERITY = 9
};
enum {
    /* The fields from DJ_PF_DISPLAY_PRESENT to DJ_PF_DISPLAY_PREDICTION have larger
     * numbers in a surface frame than in a display frame. This is the difference. */
    DJ_PF_SURFACE_SHIFT = 2,
    DJ_PF_SURFACE_DISPLAY_TOKEN = 3,
    DJ_PF_SURFACE_PID = 4,
    DJ_PF_SURFACE_LAYER = 5,
    DJ_PF_SURFACE_SEVERITY = 12
};

/* Fields of GenericKernelTaskStateEvent. Its states are: 1 created, 2 runnable, 3
 * running, 4 sleeping, 5 blocked, 6 stopped, 7 dead, 8 destroyed. */
enum {
    DJ_PF_TASK_CPU = 1,
    DJ_PF_TASK_NAME = 2,
    DJ_PF_TASK_TID = 3,
    DJ_PF_TASK_STATE = 4
};
/* Fields of the other messages of the generic kernel: frequencies, renames and
 * processes. */
enum { DJ_PF_TASK_FREQUENCY_CPU = 1, DJ_PF_TASK_FREQUENCY_HZ = 2 };
enum { DJ_PF_TASK_RENAME_TID = 1, DJ_PF_TASK_RENAME_NAME = 2 };
enum { DJ_PF_TASK_TREE_TID = 1, DJ_PF_TASK_TREE_PID = 2, DJ_PF_TASK_TREE_NAME = 3 };

/* Fields of TraceConfig. */
enum { DJ_PF_CONFIG_WRITE_INTO_FILE = 8 };

/* Fields of FtraceStats and FtraceCpuStats, and of TraceStats and BufferStats. */
enum {
    /* The value 2 means that the counters are from the end of the trace. */
    DJ_PF_FTRACE_STATS_PHASE = 1,
    DJ_PF_FTRACE_STATS_CPU = 2
};
enum {
    DJ_PF_CPU_STATS_CPU = 1,
    DJ_PF_CPU_STATS_OVERRUN = 3,
    DJ_PF_CPU_STATS_COMMIT_OVERRUN = 4,
    DJ_PF_CPU_STATS_DROPPED = 8
};
/* TraceStats also contains counters of the tracing service. dejank ignores them, because
 * they count from the start of the service and not from the start of the trace. */
enum { DJ_PF_TRACE_STATS_BUFFER = 1 };
enum {
    DJ_PF_BUFFER_CHUNKS_OVERWRITTEN = 3,
    DJ_PF_BUFFER_PATCHES_FAILED = 6,
    DJ_PF_BUFFER_ABI_VIOLATIONS = 9,
    DJ_PF_BUFFER_CHUNKS_DISCARDED = 18,
    DJ_PF_BUFFER_PACKET_LOSS = 19
};

/* Fields of GpuCounterEvent, of its descriptor, and of its values. */
enum { DJ_PF_GPU_DESCRIPTOR = 1, DJ_PF_GPU_VALUE = 2, DJ_PF_GPU_SPEC = 1 };
enum { DJ_PF_GPU_VALUE_ID = 1, DJ_PF_GPU_VALUE_INT = 2, DJ_PF_GPU_VALUE_DOUBLE = 3 };

#endif
