/* Defines the differences between the supported types of machines. */
#ifndef DEJANK_STACKS_UNWIND_MACHINE_H
#define DEJANK_STACKS_UNWIND_MACHINE_H

#include "stacks/cfi/expression.h"
#include "stacks/elf.h"

#define DJ_MACHINE_NONE UINT8_MAX

struct dj_machine {
    uint8_t stack_pointer, frame_pointer; /* DWARF numbers of these registers. */
    /* DWARF number under which the sample's program counter is stored. On x86-64 it is
     * also the number of the return address. */
    uint8_t program_counter;
    /* DWARF number of the register with the return address of a function that calls no
     * other function. DJ_MACHINE_NONE if calls push the return address. */
    uint8_t link_register;
    /* Minimum number of bytes between the start of a call and its return address. */
    uint8_t call_bytes;
    /* Mask of the bits that belong to an address. The other bits may contain a
     * signature. */
    uint64_t address_mask;
    /* Maps the number of a register in a perf sample to its DWARF number, or to
     * DJ_MACHINE_NONE. */
    uint8_t numbers[DJ_CFI_REGISTERS];
    /* Returns whether the DJ_MACHINE_CALL_BYTES bytes before a return address end with a
     * call. */
    bool (*is_call)(const uint8_t *before);
    /* Reads the registers that a signal interrupted from the frame of the signal handler.
     * NULL if the unwind information already contains them. */
    bool (*read_signal_frame)(const struct dj_cfi_memory *memory, uint64_t sp,
                              struct dj_cfi_registers *registers);
};

/* Number of bytes before a return address that is_call() reads. */
enum { DJ_MACHINE_CALL_BYTES = 8 };

extern const struct dj_machine dj_machines[DJ_STACKS_MACHINES];

#endif
