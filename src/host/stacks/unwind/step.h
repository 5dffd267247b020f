/* One step from a frame to its caller. */
#ifndef DEJANK_STACKS_UNWIND_STEP_H
#define DEJANK_STACKS_UNWIND_STEP_H

#include "stacks/unwind/machine.h"

/* Where a thread is in one frame. */
struct dj_step_state {
    struct dj_cfi_registers registers; /* With the stack pointer. */
    uint64_t address;                  /* Program counter, or the return address. */
    bool is_after_call;
};

enum dj_step_result {
    DJ_STEP_CALLER, /* The state became that of the caller. */
    DJ_STEP_END,    /* There is no caller. */
    DJ_STEP_BROKEN, /* The caller cannot be found. */
};

enum dj_step_result dj_step_to_caller(const struct dj_machine *machine,
                                      const struct dj_cfi_memory *memory,
                                      const struct dj_cfi_row *row,
                                      struct dj_step_state *state);

#endif
