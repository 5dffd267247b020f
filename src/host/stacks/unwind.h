/* Converts a sample of perf events (user registers and a copy of the user stack) to the
 * addresses of its callers, innermost first.
 *
 * Callers are found with the unwind information that compilers write for exceptions
 * (.eh_frame). Code without unwind information, such as the code of a JIT, needs a guess:
 * the frame pointer, or else a search of the stack for a return address. A guess counts
 * only if the rest of the stack then unwinds to its end.
 *
 * The result does not contain inlined functions or callers that ended with a tail call,
 * because they have no frame on the stack. For a script, it contains the functions of the
 * interpreter. */
#ifndef DEJANK_STACKS_UNWIND_H
#define DEJANK_STACKS_UNWIND_H

#include "stacks/maps.h"

/* Maximum number of frames of a result. */
enum { DJ_STACKS_FRAMES_MAX = 1024 };

/* The registers that unwinding needs, for perf_event_attr.sample_regs_user. */
#define DJ_STACKS_X86_64_REGISTERS UINT64_C(0xff01ff) /* Registers ax … ip, r8 … r15. */
#define DJ_STACKS_ARM64_REGISTERS                                                        \
    UINT64_C(0x1ffffffff) /* Registers x0 … x30, sp and pc. */
#define DJ_STACKS_REGISTERS                                                              \
    (DJ_STACKS_THIS_MACHINE == DJ_STACKS_ARM64 ? DJ_STACKS_ARM64_REGISTERS               \
                                               : DJ_STACKS_X86_64_REGISTERS)

struct dj_stacks_sample {
    enum dj_stacks_machine machine;
    pid_t pid; /* Id of the process whose mappings are used. It is not the thread id. */
    /* Registers as in PERF_SAMPLE_REGS_USER: one value for each bit of the mask, lowest
     * bit first. Stack pointer and program counter must be among them. The values may be
     * unaligned. */
    uint64_t register_mask;
    const void *registers;
    /* Bytes of the stack from the stack pointer upwards, as far as the kernel copied them
     * (dyn_size of PERF_SAMPLE_STACK_USER). */
    const void *stack;
    size_t stack_size;
};

struct dj_stacks_frame {
    /* Program counter of the innermost frame, or return address of a caller. */
    uint64_t address;
    /* Number of the mapping that contains the address, or DJ_STACKS_NO_MAPPING. */
    uint32_t mapping;
    /* True if `address` is a return address. It then follows a call and may already
     * belong to the next function. */
    bool is_after_call;
};

struct dj_stacks_stack {
    struct dj_stacks_frame frames[DJ_STACKS_FRAMES_MAX];
    /* Number of frames. It is at least 1 if the sample has a program counter. */
    size_t count;
    /* True if the last frame has no caller. False if callers are missing, because the
     * copy of the stack was too short or code lacks unwind information. */
    bool is_complete;
    /* True if a caller was found by a search for a return address. Such a caller is
     * likely but not certain. */
    bool is_guessed;
};

/* Returns an address inside the frame's code. For a caller, this is an address of the
 * call instruction instead of the return address. Use it to name the function, and to
 * compute Perfetto's rel_pc. */
uint64_t dj_stacks_frame_code_address(const struct dj_stacks_frame *frame);

struct dj_stacks_unwinder;

/* Creates an unwinder. `maps` must exist as long as the unwinder. */
struct dj_stacks_unwinder *dj_stacks_unwinder_create(struct dj_stacks_maps *maps);
void dj_stacks_unwinder_destroy(struct dj_stacks_unwinder *unwinder);

/* Unwinds a sample. The function cannot fail: `is_complete` of the result shows whether
 * callers are missing. Takes about a microsecond for code that was seen before, and some
 * milliseconds if files must be opened. */
void dj_stacks_unwind(struct dj_stacks_unwinder *unwinder,
                      const struct dj_stacks_sample *sample,
                      struct dj_stacks_stack *stack);

#endif
