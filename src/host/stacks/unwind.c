#include "stacks/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stacks/unwind/row_cache.h"
#include "stacks/unwind/step.h"
#include "stacks/unwind/trail.h"

/* Limits for guessing callers of code without unwind information. */
enum {
    SEARCH_BYTES = 8192,
    SEARCHES_MAX = 2, /* Maximum number of searches in one stack. */
    /* Maximum number of steps for one stack, including those of failed attempts. */
    STEPS_MAX = 8192,
    /* Maximum number of frames without unwind information in one stack. */
    NESTED_MAX = 128,
};

struct dj_stacks_unwinder {
    struct dj_row_cache rows;
    struct dj_trails trails;
};

struct dj_stacks_unwinder *dj_stacks_unwinder_create(struct dj_stacks_maps *maps)
{
    struct dj_stacks_unwinder *unwinder = dj_xcalloc(1, sizeof(*unwinder));
    unwinder->rows.maps = maps;
    return unwinder;
}

void dj_stacks_unwinder_destroy(struct dj_stacks_unwinder *unwinder)
{
    if (unwinder != NULL) {
        dj_row_cache_clear(&unwinder->rows);
        free(unwinder);
    }
}

uint64_t dj_stacks_frame_code_address(const struct dj_stacks_frame *frame)
{
    return frame->address - (frame->is_after_call ? 1 : 0);
}

/* State of unwinding one sample. */
struct walk {
    struct dj_row_cache *rows;
    const struct dj_machine *machine;
    struct dj_maps_process *process;
    struct dj_cfi_memory memory;
    struct dj_stacks_stack *stack;
    struct dj_trail *trail;
    size_t steps;
    /* Current depth of nested attempts to guess a caller. The depth is limited,
     * because each attempt needs stack memory of dejank's own thread. */
    size_t nested;
};

enum walk_end { WALK_COMPLETE, WALK_NO_INFORMATION, WALK_BROKEN };

static const struct dj_found_row *find_row(struct walk *walk,
                                           const struct dj_step_state *state)
{
    return dj_row_cache_find(walk->rows, walk->process,
                             state->address - (state->is_after_call ? 1 : 0));
}

/* Appends the current frame. Returns its row of unwind information, or NULL if the stack
 * is too long. */
static const struct dj_found_row *append_frame(struct walk *walk,
                                               const struct dj_step_state *state)
{
    struct dj_stacks_stack *stack = walk->stack;
    if (stack->count == DJ_STACKS_FRAMES_MAX || walk->steps++ >= STEPS_MAX) {
        return NULL;
    }
    const struct dj_found_row *found = find_row(walk, state);
    stack->frames[stack->count++] =
        (struct dj_stacks_frame){state->address, found->mapping, state->is_after_call};
    return found;
}

/* Appends callers as long as unwind information exists for them. */
static enum walk_end walk_frames(struct walk *walk, struct dj_step_state *state)
{
    for (;;) {
        const struct dj_found_row *found = append_frame(walk, state);
        if (found == NULL) {
            return WALK_BROKEN;
        }
        if (found->row != NULL && found->row->is_entry) {
            return WALK_COMPLETE;
        }
        if (found->row == NULL || !found->row->has_row) {
            /* A return address that is in no known code cannot belong to a caller. */
            bool is_impossible =
                found->mapping == DJ_STACKS_NO_MAPPING && state->is_after_call;
            return is_impossible ? WALK_BROKEN : WALK_NO_INFORMATION;
        }
        enum dj_step_result result =
            dj_step_to_caller(walk->machine, &walk->memory, &found->row->row, state);
        dj_trail_set_end(walk->trail, walk->stack->count - 1,
                         state->registers.values[walk->machine->stack_pointer]);
        if (result != DJ_STEP_CALLER) {
            return result == DJ_STEP_END ? WALK_COMPLETE : WALK_BROKEN;
        }
    }
}

static bool finish_walk(struct walk *walk, struct dj_step_state *state,
                        unsigned searches);

/* Tries an address as the caller of code without unwind information. The address must
 * follow a call instruction, and the rest of the stack must unwind to its end. Otherwise
 * removes the frames that were appended, and returns false. */
static bool try_caller(struct walk *walk, const struct dj_step_state *callee,
                       uint64_t address, uint64_t sp, unsigned searches)
{
    size_t count = walk->stack->count;
    struct dj_step_state state = *callee;
    bool is_complete = false;
    state.address = address & walk->machine->address_mask;
    state.is_after_call = true;
    state.registers.values[walk->machine->stack_pointer] = sp;
    if (walk->machine->link_register != DJ_MACHINE_NONE) {
        state.registers.known &= ~(UINT64_C(1) << walk->machine->link_register);
    }
    if (walk->nested < NESTED_MAX &&
        dj_row_cache_check_call(walk->rows, walk->machine, find_row(walk, &state),
                                state.address)) {
        walk->nested++;
        is_complete = finish_walk(walk, &state, searches);
        walk->nested--;
    }
    walk->stack->count = is_complete ? walk->stack->count : count;
    return is_complete;
}

static bool try_link_register(struct walk *walk, const struct dj_step_state *state,
                              unsigned searches)
{
    uint64_t address, sp = state->registers.values[walk->machine->stack_pointer];
    return !state->is_after_call &&
           dj_cfi_registers_get(&state->registers, walk->machine->link_register,
                                &address) &&
           try_caller(walk, state, address, sp, searches);
}

/* Tries the caller that the frame pointer gives. The frame pointer is the address of the
 * caller's saved frame pointer, and the return address is stored after it. */
static bool try_frame_pointer(struct walk *walk, const struct dj_step_state *state,
                              unsigned searches)
{
    uint8_t number = walk->machine->frame_pointer;
    struct dj_step_state caller = *state;
    uint64_t pointer, address;
    return dj_cfi_registers_get(&state->registers, number, &pointer) &&
           pointer >= state->registers.values[walk->machine->stack_pointer] &&
           dj_cfi_memory_read(&walk->memory, pointer, 8,
                              &caller.registers.values[number]) &&
           dj_cfi_memory_read(&walk->memory, pointer + 8, 8, &address) &&
           try_caller(walk, &caller, address, pointer + 16, searches);
}

/* Searches the stack for a caller: tries each word that may be a return address in a
 * file. */
static bool search_caller(struct walk *walk, const struct dj_step_state *state,
                          unsigned searches)
{
    uint64_t sp = state->registers.values[walk->machine->stack_pointer];
    uint64_t address;
    for (uint64_t at = 0; at < SEARCH_BYTES && searches > 0 && walk->steps < STEPS_MAX;
         at += 8) {
        if (!dj_cfi_memory_read(&walk->memory, sp + at, 8, &address)) {
            return false;
        }
        uint64_t code = (address & walk->machine->address_mask) - 1;
        if (dj_maps_process_find(walk->process, code) == DJ_STACKS_NO_MAPPING) {
            continue;
        }
        const struct dj_found_row *found =
            dj_row_cache_find(walk->rows, walk->process, code);
        if (found->row != NULL && found->row->has_row &&
            try_caller(walk, state, address, sp + at + 8, searches - 1)) {
            walk->stack->is_guessed = true;
            return true;
        }
    }
    return false;
}

/* Unwinds the rest of the stack. Returns false if callers are missing at its end. */
static bool finish_walk(struct walk *walk, struct dj_step_state *state, unsigned searches)
{
    enum walk_end end = walk_frames(walk, state);
    return end == WALK_COMPLETE ||
           (end == WALK_NO_INFORMATION && (try_link_register(walk, state, searches) ||
                                           try_frame_pointer(walk, state, searches) ||
                                           search_caller(walk, state, searches)));
}

/* Reads the registers of a sample. Returns false if the sample lacks the stack pointer or
 * the program counter. */
static bool read_registers(const struct dj_machine *machine,
                           const struct dj_stacks_sample *sample,
                           struct dj_step_state *state)
{
    const uint8_t *from = sample->registers;
    struct dj_cfi_registers *registers = &state->registers;
    *state = (struct dj_step_state){0};
    for (unsigned bit = 0; bit < 64; bit++) {
        if ((sample->register_mask >> bit & 1) == 0) {
            continue;
        }
        uint8_t number = bit < DJ_CFI_REGISTERS ? machine->numbers[bit] : DJ_MACHINE_NONE;
        if (number != DJ_MACHINE_NONE) {
            memcpy(&registers->values[number], from, sizeof(uint64_t));
            registers->known |= UINT64_C(1) << number;
        }
        from += sizeof(uint64_t);
    }
    uint64_t sp;
    bool is_complete =
        dj_cfi_registers_get(registers, machine->program_counter, &state->address) &&
        dj_cfi_registers_get(registers, machine->stack_pointer, &sp);
    registers->known &= ~(UINT64_C(1) << machine->program_counter);
    return is_complete;
}

void dj_stacks_unwind(struct dj_stacks_unwinder *unwinder,
                      const struct dj_stacks_sample *sample,
                      struct dj_stacks_stack *stack)
{
    const struct dj_machine *machine = &dj_machines[sample->machine];
    struct dj_step_state state;
    stack->count = 0;
    stack->is_complete = false;
    stack->is_guessed = false;
    if (!read_registers(machine, sample, &state)) {
        return;
    }
    struct dj_maps_process *process =
        dj_maps_find_process(unwinder->rows.maps, sample->pid);
    if (process == NULL) {
        stack->frames[stack->count++] =
            (struct dj_stacks_frame){state.address, DJ_STACKS_NO_MAPPING, false};
        return;
    }
    struct walk walk = {
        .rows = &unwinder->rows,
        .machine = machine,
        .process = process,
        .memory = {.bytes = sample->stack,
                   .start = state.registers.values[machine->stack_pointer],
                   .size = sample->stack_size},
        .stack = stack,
    };
    walk.trail = dj_trails_find(&unwinder->trails, &walk.memory);
    dj_trail_prefetch(walk.trail, &walk.memory);
    stack->is_complete = finish_walk(&walk, &state, SEARCHES_MAX);
}
