#include "trace/perf_data/stack.h"

/* Numbers in a call chain from this one on are marks. A mark says whether the addresses
 * after it are in the kernel or in the program. */
#define FIRST_MARK ((uint64_t)PERF_CONTEXT_MAX)

/* State of a walk through one part of a call chain: the addresses in the kernel, or the
 * addresses in the program. */
struct chain_walk {
    bool in_kernel;
    /* True if the next address is the innermost one, which is not a return address. */
    bool is_first;
};

static uint64_t get_chain_number(const struct dj_perf_sample *sample, size_t i)
{
    return dj_byte_cursor_decode_number(sample->chain + 8 * i, 8);
}

/* Returns true if the number is an address. Otherwise the number is a mark: updates
 * `walk` for the addresses that follow. */
static bool step(struct chain_walk *walk, uint64_t number)
{
    if (number < FIRST_MARK) {
        return true;
    }
    walk->in_kernel = number != (uint64_t)PERF_CONTEXT_USER &&
                      number != (uint64_t)PERF_CONTEXT_GUEST_USER;
    walk->is_first = true;
    return false;
}

static void add_frame(struct dj_perf_stacks *stacks, struct dj_event_call call)
{
    if (stacks->count < DJ_STACK_FRAMES_MAX) {
        stacks->frames[stacks->count++] = call;
    }
}

/* Adds an address of the kernel to the stack. Consecutive functions without a symbol
 * become a single function. */
static void add_kernel_address(struct dj_perf_stacks *stacks, uint64_t address)
{
    struct dj_event_call call =
        dj_perf_data_calls_describe_kernel(stacks->calls, address);
    const struct dj_event_call *last =
        stacks->count > 0 ? &stacks->frames[stacks->count - 1] : NULL;
    if (last == NULL || call.address != 0 || last->address != 0) {
        add_frame(stacks, call);
    }
}

static void add_user_address(struct dj_perf_stacks *stacks, int32_t pid, uint64_t address)
{
    uint32_t mapping = dj_stacks_maps_find(stacks->maps, pid, address);
    add_frame(stacks, dj_perf_data_calls_describe(stacks->calls, mapping, address));
}

/* Adds either the kernel's or the program's addresses of the call chain. Returns the
 * number of added addresses. */
static size_t add_chain(struct dj_perf_stacks *stacks,
                        const struct dj_perf_sample *sample, bool starts_in_kernel,
                        bool kernel)
{
    struct chain_walk walk = {starts_in_kernel, true};
    size_t before = stacks->count;
    for (size_t i = 0; i < sample->chain_count; i++) {
        uint64_t number = get_chain_number(sample, i);
        if (!step(&walk, number)) {
            continue;
        }
        uint64_t address = walk.is_first || number == 0 ? number : number - 1;
        walk.is_first = false;
        if (walk.in_kernel == kernel && kernel) {
            add_kernel_address(stacks, address);
        } else if (walk.in_kernel == kernel) {
            add_user_address(stacks, sample->id.pid, address);
        }
    }
    return stacks->count - before;
}

/* Returns the number of addresses in the call chain that belong to the program and not to
 * the kernel. */
static size_t count_user_addresses(const struct dj_perf_sample *sample,
                                   bool starts_in_kernel)
{
    struct chain_walk walk = {starts_in_kernel, true};
    size_t count = 0;
    for (size_t i = 0; i < sample->chain_count; i++) {
        count += step(&walk, get_chain_number(sample, i)) && !walk.in_kernel;
    }
    return count;
}

static bool unwind(struct dj_perf_stacks *stacks, const struct dj_perf_sample *sample)
{
    const struct dj_stacks_sample copied = {
        .machine = stacks->machine,
        .pid = sample->id.pid,
        .register_mask = stacks->file->events[sample->id.event].attr.sample_regs_user,
        .registers = sample->registers,
        .stack = sample->stack != NULL ? (const void *)sample->stack : "",
        .stack_size = sample->stack_size};
    if (sample->registers == NULL || sample->stack == NULL ||
        stacks->machine == DJ_STACKS_MACHINES) {
        return false;
    }
    dj_stacks_unwind(stacks->unwinder, &copied, &stacks->unwound);
    return stacks->unwound.count > 0;
}

static enum dj_stack_end add_unwound(struct dj_perf_stacks *stacks)
{
    const struct dj_stacks_stack *unwound = &stacks->unwound;
    for (size_t i = 0; i < unwound->count; i++) {
        const struct dj_stacks_frame *frame = &unwound->frames[i];
        add_frame(stacks,
                  dj_perf_data_calls_describe(stacks->calls, frame->mapping,
                                              dj_stacks_frame_code_address(frame)));
    }
    if (!unwound->is_complete) {
        stacks->incomplete++;
        stacks->missing_mapping = unwound->frames[unwound->count - 1].mapping;
    }
    return !unwound->is_complete ? DJ_STACK_INCOMPLETE
           : unwound->is_guessed ? DJ_STACK_GUESSED
                                 : DJ_STACK_COMPLETE;
}

struct dj_event_stack dj_perf_data_stacks_convert(struct dj_perf_stacks *stacks,
                                                  const struct dj_perf_record *record,
                                                  const struct dj_perf_sample *sample)
{
    uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
    bool in_kernel =
        mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL;
    enum dj_stack_end end = DJ_STACK_COMPLETE;
    stacks->count = 0;
    dj_perf_data_calls_limit(stacks->calls);
    size_t kernel = add_chain(stacks, sample, in_kernel, true);
    if (in_kernel && kernel == 0 && sample->ip != 0) {
        add_kernel_address(stacks, sample->ip);
    }
    size_t chained = count_user_addresses(sample, in_kernel);
    bool is_unwound = unwind(stacks, sample);
    if (is_unwound && (stacks->unwound.is_complete || stacks->unwound.count >= chained)) {
        end = add_unwound(stacks);
    } else if (chained > 0) {
        add_chain(stacks, sample, in_kernel, false);
    } else {
        if (!in_kernel && sample->ip != 0) {
            add_user_address(stacks, sample->id.pid, sample->ip);
        }
        bool is_copied = sample->stack != NULL;
        stacks->not_unwound += is_copied;
        end =
            is_copied || sample->chain == NULL ? DJ_STACK_INCOMPLETE : DJ_STACK_COMPLETE;
    }
    return (struct dj_event_stack){.frames = stacks->frames,
                                   .count = stacks->count,
                                   .source = DJ_STACK_CPU,
                                   .end = (uint8_t)end,
                                   .in_kernel = in_kernel};
}

const struct dj_stacks_module *
dj_perf_data_stacks_get_missing(const struct dj_perf_stacks *stacks)
{
    bool is_known =
        stacks->incomplete > 0 && stacks->missing_mapping != DJ_STACKS_NO_MAPPING;
    return is_known
               ? dj_stacks_maps_module(
                     stacks->maps,
                     dj_stacks_maps_get(stacks->maps, stacks->missing_mapping)->module)
               : NULL;
}
