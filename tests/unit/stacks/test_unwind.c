#include "stacks/unwind.h"

#include <criterion/criterion.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "made_elf.h"
#include "stacks/names.h"

static struct dj_stacks_maps *maps;
static struct dj_stacks_unwinder *unwinder;
static struct dj_stacks_stack stack;

static void create(void)
{
    maps = dj_stacks_maps_create();
    unwinder = dj_stacks_unwinder_create(maps);
}

static void destroy(void)
{
    dj_stacks_unwinder_destroy(unwinder);
    dj_stacks_maps_destroy(maps);
}

TestSuite(unwind, .init = create, .fini = destroy);
TestSuite(arm64, .init = create, .fini = destroy);
TestSuite(own_stack, .init = create, .fini = destroy);

/* ---- made files and stacks ---- */

enum { PID = 77, BASE = 0x400000, STACK_AT = 0x7ff000, X86_64_SP = 7, X86_64_IP = 8 };

/* def_cfa rsp 8; offset ra cfa−8 */
static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};
/* def_cfa sp 0 */
static const uint8_t initial_arm64[] = {0x0c, 31, 0};

/* Maps a made file at an address. */
static void map_made_at(const struct made_elf_plan *plan, uint64_t start)
{
    static struct made_elf made;
    char path[] = "/tmp/dejank-unwind-XXXXXX";
    made_elf_build(&made, plan);
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, made.bytes, made.size), (ssize_t)made.size);
    close(fd);
    dj_stacks_maps_add(maps,
                       &(struct dj_stacks_new_mapping){
                           .pid = PID, .start = start, .size = 0x2000, .path = path});
    cr_assert_not_null(dj_stacks_maps_open(maps, dj_stacks_maps_find(maps, PID, start)));
    unlink(path);
}

static void map_made(const struct made_elf_plan *plan)
{
    map_made_at(plan, BASE);
}

static void map_jit(void)
{
    dj_stacks_maps_add(
        maps, &(struct dj_stacks_new_mapping){
                  .pid = PID, .start = 0x900000, .size = 0x1000, .path = "//anon"});
}

/* Unwinds with three registers: frame pointer, stack pointer and program counter. */
static void unwind(enum dj_stacks_machine machine, uint64_t fp, uint64_t ip,
                   const uint64_t *words, size_t count)
{
    const uint64_t values[] = {fp, STACK_AT, ip};
    const struct dj_stacks_sample sample = {
        .machine = machine,
        .pid = PID,
        .register_mask = machine == DJ_STACKS_X86_64
                             ? UINT64_C(1) << 6 | 1 << X86_64_SP | 1 << X86_64_IP
                             : UINT64_C(1) << 29 | UINT64_C(1) << 31 | UINT64_C(1) << 32,
        .registers = values,
        .stack = words,
        .stack_size = count * sizeof(*words)};
    dj_stacks_unwind(unwinder, &sample, &stack);
}

static void expect_addresses(const uint64_t *addresses, size_t count)
{
    cr_assert_eq(stack.count, count, "%zu frames", stack.count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(stack.frames[i].address, addresses[i], "frame %zu: %#llx", i,
                     (unsigned long long)stack.frames[i].address);
    }
}
#define EXPECT(...)                                                                      \
    expect_addresses((const uint64_t[]){__VA_ARGS__},                                    \
                     COUNT_OF(((const uint64_t[]){__VA_ARGS__})))

/* leaf at 0x200; middle at 0x300 has 16 more bytes; start at 0x400 has no caller. */
static const uint8_t nothing[] = {0}, sixteen_more[] = {0x0e, 24},
                     no_caller[] = {0x07, 16};
static const struct made_frame frames[] = {{0x200, 0x80, nothing, 1},
                                           {0x300, 0x80, sixteen_more, 2},
                                           {0x400, 0x80, no_caller, 2}};

static struct made_elf_plan make_plan(void)
{
    return (struct made_elf_plan){.machine = EM_X86_64,
                                  .augmentation = "zR",
                                  .initial = initial,
                                  .initial_size = sizeof(initial),
                                  .frames = frames,
                                  .frame_count = COUNT_OF(frames),
                                  .has_header = true};
}

Test(unwind, follows_callers_to_the_end)
{
    static const uint64_t words[] = {BASE + 0x310, 1, 2, BASE + 0x320, 3, 4,
                                     BASE + 0x410};
    struct made_elf_plan plan = make_plan();
    map_made(&plan);
    unwind(DJ_STACKS_X86_64, 0, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210, BASE + 0x310, BASE + 0x320, BASE + 0x410);
    cr_expect(stack.is_complete);
    cr_expect_not(stack.is_guessed);
    cr_expect_not(stack.frames[0].is_after_call);
    cr_expect_eq(dj_stacks_frame_code_address(&stack.frames[0]), BASE + 0x210);
    cr_expect_eq(dj_stacks_frame_code_address(&stack.frames[1]), BASE + 0x30f);
    cr_expect_eq(stack.frames[3].mapping, 0);
}

Test(unwind, a_return_address_belongs_to_the_function_of_the_call)
{
    /* The call is the last instruction of middle. The next address is outside. */
    static const uint64_t words[] = {BASE + 0x380, 1, 2, BASE + 0x410};
    struct made_elf_plan plan = make_plan();
    map_made(&plan);
    unwind(DJ_STACKS_X86_64, 0, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210, BASE + 0x380, BASE + 0x410);
    cr_expect(stack.is_complete);
}

Test(unwind, a_return_address_of_zero_is_the_end)
{
    static const uint64_t words[] = {0};
    struct made_elf_plan plan = make_plan();
    map_made(&plan);
    unwind(DJ_STACKS_X86_64, 0, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210);
    cr_expect(stack.is_complete);
}

Test(unwind, says_that_a_short_copy_of_the_stack_is_not_complete)
{
    static const uint64_t words[] = {BASE + 0x310, 1, 2, BASE + 0x320, 3, 4,
                                     BASE + 0x410};
    struct made_elf_plan plan = make_plan();
    map_made(&plan);
    for (size_t count = 0; count < COUNT_OF(words); count++) {
        unwind(DJ_STACKS_X86_64, 0, BASE + 0x210, words, count);
        cr_expect_eq(stack.count, 1 + (count > 0) + (count > 3));
        cr_expect_not(stack.is_complete);
    }
}

Test(unwind, does_not_believe_a_return_address_outside_of_code)
{
    static const uint64_t words[] = {0x1234, BASE + 0x410};
    struct made_elf_plan plan = make_plan();
    map_made(&plan);
    unwind(DJ_STACKS_X86_64, 0, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210, 0x1234);
    cr_expect_not(stack.is_complete);
    cr_expect_eq(stack.frames[1].mapping, DJ_STACKS_NO_MAPPING);
}

/* A made function whose caller's stack pointer is its own. */
Test(unwind, does_not_walk_in_a_circle)
{
    static const uint8_t stays[] = {0x0e, 0, 0x90, 0};
    static const struct made_frame circle[] = {{0x200, 0x80, stays, 4}};
    static const uint64_t words[] = {BASE + 0x210};
    struct made_elf_plan plan = make_plan();
    plan.frames = circle;
    plan.frame_count = 1;
    map_made(&plan);
    unwind(DJ_STACKS_X86_64, 0, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210);
    cr_expect_not(stack.is_complete);
}

Test(unwind, stops_at_the_greatest_depth)
{
    static uint64_t words[2 * DJ_STACKS_FRAMES_MAX];
    struct made_elf_plan plan = make_plan();
    map_made(&plan);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        words[i] = BASE + 0x210;
    }
    unwind(DJ_STACKS_X86_64, 0, BASE + 0x210, words, COUNT_OF(words));
    cr_expect_eq(stack.count, DJ_STACKS_FRAMES_MAX);
    cr_expect_not(stack.is_complete);
}

/* An address is interrupted before its instruction, not after a call. */
Test(unwind, a_signal_interrupts_at_the_address)
{
    static const struct made_frame handler[] = {{0x200, 0x80, nothing, 1}};
    static const uint64_t words[] = {BASE + 0x300, 1, 2, BASE + 0x410};
    struct made_elf_plan plan = make_plan();
    map_made(&plan);
    struct made_elf_plan trampoline = make_plan();
    trampoline.augmentation = "zRS";
    trampoline.frames = handler;
    trampoline.frame_count = 1;
    map_made_at(&trampoline, BASE + 0x2000);
    unwind(DJ_STACKS_X86_64, 0, BASE + 0x2000 + 0x201, words, COUNT_OF(words));
    EXPECT(BASE + 0x2201, BASE + 0x300, BASE + 0x410);
    cr_expect(stack.is_complete);
    cr_expect_not(stack.frames[1].is_after_call);
    cr_expect(stack.frames[2].is_after_call);
}

/* ---- code without unwind information ---- */

/* call rel32 before 0x310 and 0x410 */
static const uint8_t calls[0x200] = {[0xb] = 0xe8, [0x10b] = 0xe8};

static struct made_elf_plan make_plan_with_calls(void)
{
    struct made_elf_plan plan = make_plan();
    plan.code = calls;
    plan.code_at = 0x300;
    plan.code_size = sizeof(calls);
    return plan;
}

Test(unwind, leaves_a_jit_by_the_frame_pointer)
{
    static const uint64_t words[] = {9, 9, /* fp: */ 0x1111, BASE + 0x310,
                                     1, 2, BASE + 0x410};
    struct made_elf_plan plan = make_plan_with_calls();
    map_made(&plan);
    map_jit();
    unwind(DJ_STACKS_X86_64, STACK_AT + 16, 0x900100, words, COUNT_OF(words));
    EXPECT(0x900100, BASE + 0x310, BASE + 0x410);
    cr_expect(stack.is_complete);
    cr_expect_not(stack.is_guessed);
}

Test(unwind, leaves_a_jit_by_a_search_and_says_so)
{
    /* The first two values are in code, but after no call. */
    static const uint64_t words[] = {BASE + 0x320, BASE + 0x250, 7, BASE + 0x310, 1, 2,
                                     BASE + 0x410};
    struct made_elf_plan plan = make_plan_with_calls();
    map_made(&plan);
    map_jit();
    unwind(DJ_STACKS_X86_64, 12345, 0x900100, words, COUNT_OF(words));
    EXPECT(0x900100, BASE + 0x310, BASE + 0x410);
    cr_expect(stack.is_complete);
    cr_expect(stack.is_guessed);
}

Test(unwind, guesses_nothing_if_the_rest_is_not_complete)
{
    static const uint64_t words[] = {5, 6, 7, BASE + 0x310, 1, 2, 0x1234};
    struct made_elf_plan plan = make_plan_with_calls();
    map_made(&plan);
    map_jit();
    unwind(DJ_STACKS_X86_64, STACK_AT + 16, 0x900100, words, COUNT_OF(words));
    EXPECT(0x900100);
    cr_expect_not(stack.is_complete);
    cr_expect_not(stack.is_guessed);
}

Test(unwind, attempts_end_on_a_hostile_stack)
{
    static uint64_t words[8000];
    struct made_elf_plan plan = make_plan_with_calls();
    map_made(&plan);
    map_jit();
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        words[i] = i % 3 == 0 ? BASE + 0x310 : 0x900100 + i;
    }
    unwind(DJ_STACKS_X86_64, STACK_AT, 0x900100, words, COUNT_OF(words));
    cr_expect_not(stack.is_complete);
}

/* Each form of a call with its last bytes before the return address. */
Test(unwind, knows_the_forms_of_calls)
{
    static const struct {
        uint8_t bytes[8];
        bool is_call;
    } forms[] = {
        {{0x90, 0x90, 0x90, 0xe8, 1, 2, 3, 4}, true},              /* call rel32 */
        {{0x90, 0x90, 0xff, 0x15, 1, 2, 3, 4}, true},              /* call [rip+…] */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0}, true},  /* call rax */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0x41, 0xff, 0xd4}, true},  /* call r12 */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x10}, true},  /* call [rax] */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x50, 0x18}, true},  /* call [rax+24] */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x14, 0xc8}, true},  /* call [rax+rcx*8] */
        {{0x90, 0x90, 0x90, 0x90, 0xff, 0x54, 0x24, 8}, true},     /* call [rsp+8] */
        {{0x90, 0x90, 0xff, 0x90, 0, 1, 0, 0}, true},              /* call [rax+256] */
        {{0x90, 0xff, 0x94, 0x24, 0, 1, 0, 0}, true},              /* call [rsp+256] */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xe0}, false}, /* jmp rax */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x30}, false}, /* push [rax] */
        {{0x90, 0x90, 0x90, 0xe9, 1, 2, 3, 4}, false},             /* jmp rel32 */
        {{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3}, false}, /* ret */
    };
    static uint8_t code[COUNT_OF(forms) * 16];
    struct made_elf_plan plan = make_plan();
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        memcpy(code + 16 * i, forms[i].bytes, 8);
    }
    static const struct made_frame whole[] = {{0x300, 0x100, no_caller, 2}};
    plan.frames = whole;
    plan.frame_count = 1;
    plan.code = code;
    plan.code_at = 0x300;
    plan.code_size = sizeof(code);
    map_made(&plan);
    map_jit();
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const uint64_t words[] = {0, BASE + 0x308 + 16 * i};
        unwind(DJ_STACKS_X86_64, STACK_AT, 0x900100, words, COUNT_OF(words));
        cr_expect_eq(stack.is_complete, forms[i].is_call, "form %zu", i);
    }
}

/* ---- arm64 ---- */

/* leaf at 0x200; middle at 0x300: stp x29, x30, [sp, −32]!; start at 0x400. */
static const uint8_t frame_record[] = {0x0e, 32, 0x9d, 4, 0x9e, 3},
                     signed_record[] = {0x2d, 0x0e, 32, 0x9d, 4, 0x9e, 3},
                     no_arm64_caller[] = {0x07, 30};
static const struct made_frame arm64_frames[] = {{0x200, 0x80, nothing, 1},
                                                 {0x300, 0x80, frame_record, 6},
                                                 {0x380, 0x80, signed_record, 7},
                                                 {0x400, 0x80, no_arm64_caller, 2}};

static void map_arm64(void)
{
    struct made_elf_plan plan = make_plan();
    plan.machine = EM_AARCH64;
    plan.initial = initial_arm64;
    plan.initial_size = sizeof(initial_arm64);
    plan.frames = arm64_frames;
    plan.frame_count = COUNT_OF(arm64_frames);
    map_made(&plan);
}

static void unwind_arm64(uint64_t fp, uint64_t lr, uint64_t ip, const uint64_t *words,
                         size_t count)
{
    uint64_t values[33] = {[29] = fp, [30] = lr, [31] = STACK_AT, [32] = ip};
    const struct dj_stacks_sample sample = {.machine = DJ_STACKS_ARM64,
                                            .pid = PID,
                                            .register_mask = DJ_STACKS_ARM64_REGISTERS,
                                            .registers = values,
                                            .stack = words,
                                            .stack_size = count * sizeof(*words)};
    dj_stacks_unwind(unwinder, &sample, &stack);
}

Test(arm64, the_caller_of_a_leaf_is_in_the_link_register)
{
    /* x29, x30, and 16 bytes more */
    static const uint64_t words[] = {0, BASE + 0x410, 1, 2};
    map_arm64();
    unwind_arm64(STACK_AT, BASE + 0x310, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210, BASE + 0x310, BASE + 0x410);
    cr_expect(stack.is_complete);
}

Test(arm64, signatures_of_return_addresses_are_removed)
{
    static const uint64_t words[] = {
        0, UINT64_C(0x002a000000000000) | (BASE + 0x390), 1, 2,
        0, UINT64_C(0x7f35000000000000) | (BASE + 0x410), 1, 2};
    map_arm64();
    unwind_arm64(STACK_AT, BASE + 0x310, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210, BASE + 0x310, BASE + 0x390, BASE + 0x410);
    cr_expect(stack.is_complete);
}

/* The return address of a caller is never in a register: the callee's call changed it. */
Test(arm64, a_caller_that_saved_no_return_address_is_not_followed)
{
    static const uint64_t words[] = {0, BASE + 0x210, 1, 2, 0, BASE + 0x410, 1, 2};
    map_arm64();
    unwind_arm64(STACK_AT, BASE + 0x310, BASE + 0x310, words, COUNT_OF(words));
    EXPECT(BASE + 0x310, BASE + 0x210);
    cr_expect_not(stack.is_complete);
}

/* struct rt_sigframe of Linux: siginfo (128 bytes), ucontext with the sigcontext at 176,
 * in which the registers follow the fault address. */
Test(arm64, a_signal_frame_has_all_registers)
{
    enum { REGISTERS_AT = (128 + 176 + 8) / 8, WORDS = REGISTERS_AT + 40 };
    static const struct made_frame trampoline[] = {{0x200, 0x80, nothing, 1},
                                                   {0x300, 0x80, frame_record, 6},
                                                   {0x400, 0x80, no_arm64_caller, 2}};
    static uint64_t words[WORDS];
    struct made_elf_plan plan = make_plan();
    plan.machine = EM_AARCH64;
    plan.augmentation = "zRS";
    plan.initial = initial_arm64;
    plan.initial_size = sizeof(initial_arm64);
    plan.frames = trampoline;
    plan.frame_count = 1;
    map_made(&plan);
    words[REGISTERS_AT + 30] = BASE + 0x1000 * 2 + 0x410;
    words[REGISTERS_AT + 31] = STACK_AT + 8 * (WORDS - 1);
    words[REGISTERS_AT + 32] = BASE + 0x2000 + 0x210;
    plan.augmentation = "zR";
    plan.frames = arm64_frames;
    plan.frame_count = COUNT_OF(arm64_frames);
    map_made_at(&plan, BASE + 0x2000);
    unwind_arm64(0, 0, BASE + 0x210, words, COUNT_OF(words));
    EXPECT(BASE + 0x210, BASE + 0x2210, BASE + 0x2410);
    cr_expect(stack.is_complete);
    cr_expect_not(stack.frames[1].is_after_call);
}

Test(arm64, leaves_a_jit_by_the_frame_record)
{
    /* bl before 0x310 and 0x410 */
    static const uint8_t arm64_calls[0x200] = {[0xf] = 0x94, [0x10f] = 0x97};
    static const uint8_t by_fp[] = {0x0c, 29, 16, 0x9d, 2, 0x9e, 1};
    static const struct made_frame with_fp[] = {{0x300, 0x80, by_fp, 7},
                                                {0x400, 0x80, no_arm64_caller, 2}};
    static const uint64_t words[] = {9, 9, STACK_AT + 48, BASE + 0x310, 1,
                                     2, 0, BASE + 0x410};
    struct made_elf_plan plan = make_plan();
    plan.machine = EM_AARCH64;
    plan.initial = initial_arm64;
    plan.initial_size = sizeof(initial_arm64);
    plan.frames = with_fp;
    plan.frame_count = COUNT_OF(with_fp);
    plan.code = arm64_calls;
    plan.code_at = 0x300;
    plan.code_size = sizeof(arm64_calls);
    map_made(&plan);
    map_jit();
    unwind_arm64(STACK_AT + 16, 0, 0x900100, words, COUNT_OF(words));
    EXPECT(0x900100, BASE + 0x310, BASE + 0x410);
    cr_expect(stack.is_complete);
}

/* ---- the stack of this process ---- */

#if defined(__x86_64__)

enum { COPY_BYTES = 16384, DEPTH_MAX = 64 };

static uint8_t copy[COPY_BYTES];
static size_t copied;
static uint64_t registers[24];
static void *expected[DEPTH_MAX];
static int expected_count;

/* Does what a perf sample does. */
__attribute__((no_sanitize("address"))) static void
sample_context(const ucontext_t *context)
{
    static const int order[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                REG_RBP, REG_RSP, REG_RIP, REG_R8,  REG_R9,  REG_R10,
                                REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    }
    pthread_attr_t attributes;
    void *start;
    size_t size;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    uint64_t rest = (uint64_t)(uintptr_t)start + size - registers[7];
    copied = rest < COPY_BYTES ? (size_t)rest : COPY_BYTES;
    for (size_t i = 0; i < copied; i++) {
        copy[i] = ((const volatile uint8_t *)(uintptr_t)registers[7])[i];
    }
}

static void unwind_copy(void)
{
    struct dj_error err = {0};
    const struct dj_stacks_sample sample = {.machine = DJ_STACKS_X86_64,
                                            .pid = getpid(),
                                            .register_mask = DJ_STACKS_X86_64_REGISTERS,
                                            .registers = registers,
                                            .stack = copy,
                                            .stack_size = copied};
    cr_assert_eq(dj_stacks_maps_read(maps, getpid(), &err), 0, "%s", err.message);
    dj_stacks_unwind(unwinder, &sample, &stack);
}

/* Compares the callers with those that the unwinder of libgcc found. Its first frames are
 * its own. */
static void expect_backtrace(void)
{
    int from = 0;
    cr_assert_gt(stack.count, 2);
    while (from < expected_count &&
           (uint64_t)(uintptr_t)expected[from] != stack.frames[1].address) {
        from++;
    }
    cr_assert_eq((int)(stack.count - 1), expected_count - from, "%zu frames of %d",
                 stack.count, expected_count);
    for (size_t i = 1; i < stack.count; i++) {
        cr_expect_eq(stack.frames[i].address,
                     (uint64_t)(uintptr_t)expected[from + (int)i - 1]);
    }
}

__attribute__((noinline)) static int take_sample(void)
{
    ucontext_t context;
    getcontext(&context);
    sample_context(&context);
    expected_count = backtrace(expected, DEPTH_MAX);
    return expected_count;
}

__attribute__((noinline)) static int recurse(int depth)
{
    volatile char space[40] = {(char)depth};
    return depth == 0 ? take_sample() + space[0] : recurse(depth - 1) + space[0];
}

/* Compilers realign the stack for such a variable, and then the CFA is an expression. */
__attribute__((noinline)) static int recurse_aligned(int depth)
{
    volatile _Alignas(128) char space[200] = {(char)depth};
    return recurse(depth) + space[0];
}

Test(own_stack, equals_the_backtrace_of_libgcc)
{
    recurse_aligned(10);
    unwind_copy();
    cr_expect(stack.count > 13);
    expect_backtrace();
    cr_expect_not(stack.is_guessed);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    ucontext_t here;
    (void)number;
    (void)info;
    (void)context;
    getcontext(&here);
    sample_context(&here);
    expected_count = backtrace(expected, DEPTH_MAX);
}

__attribute__((noinline)) static int interrupt(void)
{
    return raise(SIGUSR1) + 1;
}

Test(own_stack, goes_through_a_signal_handler)
{
    const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    backtrace(expected, DEPTH_MAX); /* Loads libgcc. */
    sigaction(SIGUSR1, &action, NULL);
    cr_assert_eq(interrupt(), 1);
    unwind_copy();
    expect_backtrace();
}

static void *run_thread(void *user)
{
    *(int *)user = recurse(3);
    return NULL;
}

Test(own_stack, ends_at_the_start_of_a_thread)
{
    pthread_t thread;
    int result;
    backtrace(expected, DEPTH_MAX);
    cr_assert_eq(pthread_create(&thread, NULL, run_thread, &result), 0);
    pthread_join(thread, NULL);
    unwind_copy();
    cr_expect(stack.is_complete);
    cr_expect(stack.count >= 7);
}

#endif
