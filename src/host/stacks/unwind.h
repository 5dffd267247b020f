/*
 * Converts a sample of perf events (user registers and a copy of the user stack) to the
 * addresses of its callers, innermost first.
 *
 * Callers are found with the unwind information that compilers write for exceptions
 * (.eh_frame). Code without it, such as a JIT's, is left by the frame pointer, or else by
 * a search for a return address; such a step counts only if the rest of the stack then
 * unwinds to its end.
 *
 * Inlined functions and callers that ended with a tail call are not on the stack. A
 * script's functions are not either: the interpreter's are.
 */
#ifndef DEJANK_STACKS_UNWIND_H
#define DEJANK_STACKS_UNWIND_H

#include "stacks/maps.h"

/* Longest stack that is returned. */
enum { DJ_STACKS_FRAMES_MAX = 1024 };

/* The registers that unwinding needs, for perf_event_attr.sample_regs_user. */
#define DJ_STACKS_X86_64_REGISTERS UINT64_C(0xff01ff)   /* ax … ip, r8 … r15 */
#define DJ_STACKS_ARM64_REGISTERS UINT64_C(0x1ffffffff) /* x0 … x30, sp, pc */
#define DJ_STACKS_REGISTERS                                                              \
    (DJ_STACKS_THIS_MACHINE == DJ_STACKS_ARM64 ? DJ_STACKS_ARM64_REGISTERS               \
                                               : DJ_STACKS_X86_64_REGISTERS)

struct dj_stacks_sample {
    enum dj_stacks_machine machine;
    pid_t pid; /* Process whose mappings are used, not the thread. */
    /* Registers as in PERF_SAMPLE_REGS_USER: one value for each bit of the mask, lowest
     * bit first. Stack pointer and program counter must be among them. The values may be
     * unaligned. */
    uint64_t register_mask;
    const void *registers;
    /* The bytes from the stack pointer upwards, as many as the kernel filled (dyn_size
     * of PERF_SAMPLE_STACK_USER). */
    const void *stack;
    size_t stack_size;
};

struct dj_stacks_frame {
    uint64_t address; /* Program counter, or the return address of a caller. */
    uint32_t mapping; /* Number in maps.h, or DJ_STACKS_NO_MAPPING. */
    /* The address is the one after a call, which may be that of the next function. */
    bool is_after_call;
};

struct dj_stacks_stack {
    struct dj_stacks_frame frames[DJ_STACKS_FRAMES_MAX];
    size_t count; /* At least 1 if the sample has a program counter. */
    /* The last frame has no caller. Otherwise callers are missing, because the copy of
     * the stack was too short or because a file has no unwind information. */
    bool is_complete;
    /* A caller was found by a search for a return address. It is likely, not certain. */
    bool is_guessed;
};

/* The address inside the frame's code: that of the call, not the one after it. This is
 * the address to name, and the one that Perfetto's rel_pc is computed from. */
uint64_t dj_stacks_frame_code_address(const struct dj_stacks_frame *frame);

struct dj_stacks_unwinder;

/* `maps` must outlive the unwinder. */
struct dj_stacks_unwinder *dj_stacks_unwinder_create(struct dj_stacks_maps *maps);
void dj_stacks_unwinder_destroy(struct dj_stacks_unwinder *unwinder);

/* Unwinds a sample. Takes about a microsecond if the code was seen before, and some
 * milliseconds if files must be opened. Never fails: see `is_complete`. */
void dj_stacks_unwind(struct dj_stacks_unwinder *unwinder,
                      const struct dj_stacks_sample *sample,
                      struct dj_stacks_stack *stack);

#endif
