/* Takes one step from a frame to its caller. */
#ifndef DEJANK_STACKS_UNWIND_STEP_H
#define DEJANK_STACKS_UNWIND_STEP_H

#include "stacks/unwind/machine.h"

/* The registers and the address of one frame. */
struct dj_step_state {
    struct dj_cfi_registers registers; /* Registers, including the stack pointer. */
    /* Program counter of the innermost frame, or return address of a caller. */
    uint64_t address;
    bool is_after_call;
};

enum dj_step_result {
    DJ_STEP_CALLER, /* `state` now describes the caller. */
    DJ_STEP_END,    /* The frame has no caller. */
    DJ_STEP_BROKEN, /* The caller cannot be found. */
};

enum dj_step_result dj_step_to_caller(const struct dj_machine *machine,
                                      const struct dj_cfi_memory *memory,
                                      const struct dj_cfi_row *row,
                                      struct dj_step_state *state);

#endif
