#include "stacks/unwind/step.h"

static bool compute_cfa(const struct dj_cfi_row *row,
                        const struct dj_cfi_registers *registers,
                        const struct dj_cfi_memory *memory, uint64_t *cfa)
{
    if (row->cfa.kind == DJ_CFI_EXPRESSION) {
        return dj_cfi_expression_compute(&row->cfa, NULL, registers, memory, cfa);
    }
    if (!dj_cfi_registers_get(registers, row->cfa.other, cfa)) {
        return false;
    }
    *cfa += row->cfa.offset;
    return true;
}

static bool apply_rule(const struct dj_cfi_rule *rule, uint64_t cfa,
                       const struct dj_cfi_registers *registers,
                       const struct dj_cfi_memory *memory, uint64_t *value)
{
    switch (rule->kind) {
    case DJ_CFI_AT_CFA:
        return dj_cfi_memory_read(memory, cfa + rule->offset, 8, value);
    case DJ_CFI_CFA_PLUS:
        *value = cfa + rule->offset;
        return true;
    case DJ_CFI_REGISTER:
        return dj_cfi_registers_get(registers, rule->other, value);
    case DJ_CFI_AT_EXPRESSION:
        return dj_cfi_expression_compute(rule, &cfa, registers, memory, value) &&
               dj_cfi_memory_read(memory, *value, 8, value);
    case DJ_CFI_EXPRESSION:
        return dj_cfi_expression_compute(rule, &cfa, registers, memory, value);
    default:
        return false;
    }
}

/* Sets the registers to the values that they have in the caller. Sets *is_end if the
 * return address is undefined. */
static void apply_rules(const struct dj_cfi_row *row, uint64_t cfa,
                        const struct dj_cfi_memory *memory,
                        struct dj_cfi_registers *registers, bool *is_end)
{
    uint64_t values[DJ_CFI_REGISTERS];
    bool is_known[DJ_CFI_REGISTERS];
    for (size_t i = 0; i < row->rule_count; i++) {
        is_known[i] = apply_rule(&row->rules[i], cfa, registers, memory, &values[i]);
    }
    for (size_t i = 0; i < row->rule_count; i++) {
        const struct dj_cfi_rule *rule = &row->rules[i];
        uint64_t bit = UINT64_C(1) << rule->number;
        if (is_known[i]) {
            registers->values[rule->number] = values[i];
            registers->known |= bit;
        } else {
            registers->known &= ~bit;
        }
        *is_end |= rule->kind == DJ_CFI_UNDEFINED && rule->number == row->return_register;
    }
}

static bool has_rule(const struct dj_cfi_row *row, uint8_t number)
{
    for (size_t i = 0; i < row->rule_count; i++) {
        if (row->rules[i].number == number) {
            return true;
        }
    }
    return false;
}

/* Returns true if the caller's stack pointer is above the callee's, or may be equal to
 * it. A stack grows in one direction, so this check ends the walk through a damaged
 * stack. Only a signal handler may run on a separate stack. On machines with a link
 * register, the innermost function may use no stack. */
static bool is_progress(const struct dj_machine *machine, const struct dj_cfi_row *row,
                        const struct dj_step_state *callee, uint64_t callee_sp,
                        uint64_t sp)
{
    bool may_share = machine->link_register != DJ_MACHINE_NONE && !callee->is_after_call;
    return row->is_signal || sp > callee_sp || (may_share && sp == callee_sp);
}

enum dj_step_result dj_step_to_caller(const struct dj_machine *machine,
                                      const struct dj_cfi_memory *memory,
                                      const struct dj_cfi_row *row,
                                      struct dj_step_state *state)
{
    struct dj_cfi_registers *registers = &state->registers;
    uint8_t sp = machine->stack_pointer;
    uint64_t callee_sp = registers->values[sp];
    uint64_t cfa, address;
    bool is_end = false;
    /* The unwind information of procedure linkage tables contains expressions with the
     * program counter. */
    registers->values[machine->program_counter] = state->address;
    registers->known |= UINT64_C(1) << machine->program_counter;
    if (!compute_cfa(row, registers, memory, &cfa)) {
        return DJ_STEP_BROKEN;
    }
    if (row->is_signal && machine->read_signal_frame != NULL) {
        if (!machine->read_signal_frame(memory, callee_sp, registers)) {
            return DJ_STEP_BROKEN;
        }
        address = registers->values[machine->program_counter];
    } else {
        registers->known |= UINT64_C(1) << sp;
        registers->known &= ~(UINT64_C(1) << machine->program_counter);
        apply_rules(row, cfa, memory, registers, &is_end);
        if (!has_rule(row, sp)) {
            registers->values[sp] = cfa;
        }
        if (is_end) {
            return DJ_STEP_END;
        }
        if (!dj_cfi_registers_get(registers, row->return_register, &address) ||
            (registers->known >> sp & 1) == 0) {
            return DJ_STEP_BROKEN;
        }
        /* The return address of the caller is different, and the caller's own row has a
         * rule for it. */
        registers->known &= ~(UINT64_C(1) << row->return_register);
    }
    address &= machine->address_mask;
    if (address == 0) {
        /* Some libraries mark the outermost frame with a return address of 0. In a signal
         * handler, 0 means that the program called NULL. */
        return row->is_signal ? DJ_STEP_BROKEN : DJ_STEP_END;
    }
    if (!is_progress(machine, row, state, callee_sp, registers->values[sp])) {
        return DJ_STEP_BROKEN;
    }
    state->address = address;
    state->is_after_call = !row->is_signal;
    return DJ_STEP_CALLER;
}
