/* What differs between machines. */
#ifndef DEJANK_STACKS_UNWIND_MACHINE_H
#define DEJANK_STACKS_UNWIND_MACHINE_H

#include "stacks/cfi/expression.h"
#include "stacks/elf.h"

#define DJ_MACHINE_NONE UINT8_MAX

struct dj_machine {
    uint8_t stack_pointer, frame_pointer; /* Numbers of DWARF. */
    /* The number that the sample's program counter gets. On x86-64 it is also the number
     * of the return address. */
    uint8_t program_counter;
    /* Contains the return address of a function that calls no other one. DJ_MACHINE_NONE
     * if calls push the return address. */
    uint8_t link_register;
    uint8_t call_bytes;    /* How far a return address is after its call, at least. */
    uint64_t address_mask; /* Bits of an address. The others may be a signature. */
    /* By the number in a perf sample: the number of DWARF, or DJ_MACHINE_NONE. */
    uint8_t numbers[DJ_CFI_REGISTERS];
    /* Whether the bytes before a return address are a call. There are 8 of them. */
    bool (*is_call)(const uint8_t *before);
    /* Reads the interrupted registers from the frame of a signal handler, where the
     * unwind information does not have them. May be NULL. */
    bool (*read_signal_frame)(const struct dj_cfi_memory *memory, uint64_t sp,
                              struct dj_cfi_registers *registers);
};

/* How many bytes before a return address is_call() reads. */
enum { DJ_MACHINE_CALL_BYTES = 8 };

extern const struct dj_machine dj_machines[DJ_STACKS_MACHINES];

#endif
