/* A sampled call stack, as a DJ_EVENT_STACK contains it. */
#ifndef DEJANK_TRACE_STACK_H
#define DEJANK_TRACE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Maximum number of frames of a stack. */
enum { DJ_STACK_FRAMES_MAX = 1024 };

/* Why a stack was sampled. */
enum dj_stack_source {
    DJ_STACK_CPU,  /* A timer of the CPU expired while the thread ran. */
    DJ_STACK_WAIT, /* The thread left the CPU. */
    DJ_STACK_SOURCES
};

/* How the unwinding of a stack ended. */
enum dj_stack_end {
    DJ_STACK_COMPLETE, /* The outermost frame has no caller. */
    /* The outermost frame has no caller, but one of the callers was guessed, because the
     * code before it had no unwind table. */
    DJ_STACK_GUESSED,
    /* Outer frames are missing: the copied part of the stack was too short, or code had
     * no unwind table. */
    DJ_STACK_INCOMPLETE,
    DJ_STACK_ENDS
};

/* A file that is mapped into a process. */
struct dj_event_mapping {
    struct dj_str path;     /* Path of the file, or a name in brackets such as [vdso]. */
    struct dj_str build_id; /* Bytes of the build-id, or empty if unknown. */
    uint64_t start, end;    /* Addresses of the mapping in the process. */
    uint64_t offset;        /* Offset of the mapping in the file. */
    /* Address minus offset in the file, for the code in the mapped segment. */
    uint64_t load_bias;
};

struct dj_event_call {
    const struct dj_event_mapping *mapping; /* NULL if the address is in no mapping. */
    /* Address of the instruction as in the file's symbol table. For a caller, it is an
     * address inside the call instruction. If there is no mapping, the address in the
     * process. */
    uint64_t address;
    struct dj_str function; /* Name of the function, or empty if unknown. */
};

/* Either a sample or a loss. The struct is valid until the sink returns. */
struct dj_event_stack {
    const struct dj_event_call *frames; /* The innermost function is first. */
    size_t count;                       /* 0 if the stack could not be unwound at all. */
    uint8_t source;                     /* A value of enum dj_stack_source. */
    uint8_t end;                        /* A value of enum dj_stack_end. */
    bool in_kernel;                     /* True if the thread was in the kernel. */
    /* If not 0, the event is a loss: so many records of the CPU were lost. */
    uint64_t lost;
};

#endif
