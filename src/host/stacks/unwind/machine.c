#include "stacks/unwind/machine.h"

#include <string.h>

/* Returns whether the bytes at `at` are an indirect call of one form. `mode` is the value
 * of the two highest bits of the ModRM byte. `has_sib` is whether a SIB byte follows. */
static bool is_indirect_call(const uint8_t *at, unsigned mode, bool has_sib)
{
    enum { GROUP_5 = 0xff, CALL = 2, SIB = 4 };
    unsigned operand = at[1] & 7;
    return at[0] == GROUP_5 && at[1] >> 6 == mode && (at[1] >> 3 & 7) == CALL &&
           (mode == 3 || has_sib == (operand == SIB));
}

static bool is_x86_64_call(const uint8_t *before)
{
    enum { CALL_RELATIVE = 0xe8, IN_MEMORY = 0, SHORT = 1, LONG = 2, IN_REGISTER = 3 };
    const uint8_t *end = before + DJ_MACHINE_CALL_BYTES;
    bool is_rip_relative = end[-6] == 0xff && end[-5] == 0x15;
    return end[-5] == CALL_RELATIVE || is_rip_relative ||
           is_indirect_call(end - 2, IN_REGISTER, false) ||
           (is_indirect_call(end - 2, IN_MEMORY, false) && (end[-1] & 7) != 5) ||
           is_indirect_call(end - 3, IN_MEMORY, true) ||
           is_indirect_call(end - 3, SHORT, false) ||
           is_indirect_call(end - 4, SHORT, true) ||
           is_indirect_call(end - 6, LONG, false) ||
           is_indirect_call(end - 7, LONG, true);
}

static bool is_arm64_call(const uint8_t *before)
{
    uint32_t instruction;
    memcpy(&instruction, before + DJ_MACHINE_CALL_BYTES - sizeof(instruction),
           sizeof(instruction));
    bool is_bl = (instruction & 0xfc000000) == 0x94000000;
    bool is_blr = (instruction & 0xfffffc1f) == 0xd63f0000;
    /* The instructions blraaz, blrabz, blraa and blrab. */
    bool is_signed_blr = (instruction & 0xfefff800) == 0xd63f0800;
    return is_bl || is_blr || is_signed_blr;
}

/* Reads the interrupted registers from struct rt_sigframe (arch/arm64 of the kernel). The
 * kernel's unwind information for the vdso contains only the interrupted address. */
static bool read_arm64_signal_frame(const struct dj_cfi_memory *memory, uint64_t sp,
                                    struct dj_cfi_registers *registers)
{
    enum { SIGINFO = 128, SIGCONTEXT = 176, REGISTERS = 8 };
    uint64_t at = sp + SIGINFO + SIGCONTEXT + REGISTERS;
    for (unsigned i = 0; i < DJ_CFI_REGISTERS; i++) {
        if (!dj_cfi_memory_read(memory, at + 8 * i, 8, &registers->values[i])) {
            return false;
        }
    }
    registers->known = (UINT64_C(1) << DJ_CFI_REGISTERS) - 1;
    return true;
}

#define NONE DJ_MACHINE_NONE

const struct dj_machine dj_machines[DJ_STACKS_MACHINES] = {
    [DJ_STACKS_X86_64] =
        {
            .stack_pointer = 7,
            .frame_pointer = 6,
            .program_counter = 16,
            .link_register = NONE,
            .call_bytes = 1,
            .address_mask = UINT64_MAX,
            /* Order of perf: ax bx cx dx si di bp sp ip, flags and segments, r8 to
             * r15. */
            .numbers = {0,    3,    2,    1,    4,    5,    6,    7,    16,   NONE, NONE,
                        NONE, NONE, NONE, NONE, NONE, 8,    9,    10,   11,   12,   13,
                        14,   15,   NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
            .is_call = is_x86_64_call,
        },
    [DJ_STACKS_ARM64] =
        {
            .stack_pointer = 31,
            .frame_pointer = 29,
            .program_counter = 32,
            .link_register = 30,
            .call_bytes = 4,
            /* User space uses 48 bits of an address, unless a program requests 52. */
            .address_mask = (UINT64_C(1) << 48) - 1,
            .numbers = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                        11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
            .is_call = is_arm64_call,
            .read_signal_frame = read_arm64_signal_frame,
        },
};
