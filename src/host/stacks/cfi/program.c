#include <string.h>

#include "base/count_of.h"
#include "stacks/cfi/row.h"

/* Maximum number of nested remembered states, and of instructions. Compilers nest states
 * only once or twice. */
enum { STATES_MAX = 16, INSTRUCTIONS_MAX = 1 << 16 };

struct state {
    struct dj_cfi_rule cfa;
    struct dj_cfi_rule rules[DJ_CFI_REGISTERS];
};

struct machine {
    const struct dj_cfi_section *section;
    const struct dj_cfi_entry *entry;
    struct dj_cfi_cursor program;
    uint64_t here; /* The address up to which the row was computed. */
    uint64_t target;
    struct state now, initial, remembered[STATES_MAX];
    size_t remembered_count;
    bool is_done;
};

/* Decoded operands of an instruction. */
struct operands {
    uint64_t number; /* First operand if it is the number of a register. */
    uint64_t value;  /* An offset, a distance, or the number of another register. */
    const uint8_t *bytes;
    uint64_t size;
};

enum operand {
    NONE,
    NUMBER, /* The operand is the number of a register. */
    VALUE,  /* An unsigned LEB128 number. */
    /* An unsigned LEB128 number that is multiplied by the data alignment factor. */
    FACTORED,
    /* A signed LEB128 number that is multiplied by the data alignment factor. */
    SIGNED_FACTORED,
    /* An unsigned LEB128 number that is multiplied by the data alignment factor and
     * negated. */
    NEGATIVE,
    BLOCK, /* An expression with its length. */
    BYTES_1,
    BYTES_2,
    BYTES_4,
    BYTES_8,
    POINTER,
};

static void read_operand(struct machine *machine, enum operand kind,
                         struct operands *operands)
{
    struct dj_cfi_cursor *program = &machine->program;
    uint64_t factor = machine->entry->data_factor;
    switch (kind) {
    case NONE:
        return;
    case NUMBER:
        operands->number = dj_cfi_cursor_read_uleb(program);
        return;
    case VALUE:
        operands->value = dj_cfi_cursor_read_uleb(program);
        return;
    case FACTORED:
        operands->value = dj_cfi_cursor_read_uleb(program) * factor;
        return;
    case SIGNED_FACTORED:
        operands->value = dj_cfi_cursor_read_sleb(program) * factor;
        return;
    case NEGATIVE:
        operands->value = 0 - dj_cfi_cursor_read_uleb(program) * factor;
        return;
    case BLOCK:
        operands->size = dj_cfi_cursor_read_uleb(program);
        operands->bytes = dj_cfi_cursor_skip(program, operands->size);
        return;
    case POINTER:
        operands->value = dj_cfi_cursor_read_pointer(program, machine->entry->encoding,
                                                     machine->section, 0);
        return;
    default:
        operands->value =
            dj_cfi_cursor_read_number(program, (size_t)1 << (kind - BYTES_1));
    }
}

static void set_rule(struct machine *machine, uint64_t number,
                     const struct dj_cfi_rule *rule)
{
    if (number < DJ_CFI_REGISTERS) {
        machine->now.rules[number] = *rule;
        machine->now.rules[number].number = (uint8_t)number;
    }
}

static void set_offset(struct machine *machine, enum dj_cfi_rule_kind kind,
                       const struct operands *operands)
{
    set_rule(machine, operands->number,
             &(struct dj_cfi_rule){.kind = (uint8_t)kind, .offset = operands->value});
}

static void set_expression(struct machine *machine, enum dj_cfi_rule_kind kind,
                           const struct operands *operands)
{
    set_rule(machine, operands->number,
             &(struct dj_cfi_rule){.kind = (uint8_t)kind,
                                   .size = (uint32_t)operands->size,
                                   .expression = operands->bytes});
}

static void skip(struct machine *machine, const struct operands *operands)
{
    (void)machine;
    (void)operands;
}

static void move_to(struct machine *machine, uint64_t address)
{
    machine->is_done = address > machine->target || address < machine->here;
    machine->here = address;
}

static void set_address(struct machine *machine, const struct operands *operands)
{
    move_to(machine, operands->value);
}

static void advance(struct machine *machine, const struct operands *operands)
{
    move_to(machine, machine->here + operands->value * machine->entry->code_factor);
}

static void save_at_cfa(struct machine *machine, const struct operands *operands)
{
    set_offset(machine, DJ_CFI_AT_CFA, operands);
}

static void save_cfa_plus(struct machine *machine, const struct operands *operands)
{
    set_offset(machine, DJ_CFI_CFA_PLUS, operands);
}

static void save_at_expression(struct machine *machine, const struct operands *operands)
{
    set_expression(machine, DJ_CFI_AT_EXPRESSION, operands);
}

static void save_expression(struct machine *machine, const struct operands *operands)
{
    set_expression(machine, DJ_CFI_EXPRESSION, operands);
}

static void save_in_register(struct machine *machine, const struct operands *operands)
{
    struct dj_cfi_rule rule = {.kind = DJ_CFI_REGISTER,
                               .other = (uint8_t)operands->value};
    if (operands->value >= DJ_CFI_REGISTERS) {
        rule.kind = DJ_CFI_UNDEFINED;
    }
    set_rule(machine, operands->number, &rule);
}

static void set_undefined(struct machine *machine, const struct operands *operands)
{
    set_rule(machine, operands->number, &(struct dj_cfi_rule){.kind = DJ_CFI_UNDEFINED});
}

static void set_same(struct machine *machine, const struct operands *operands)
{
    set_rule(machine, operands->number, &(struct dj_cfi_rule){.kind = DJ_CFI_SAME});
}

static void restore(struct machine *machine, const struct operands *operands)
{
    if (operands->number < DJ_CFI_REGISTERS) {
        machine->now.rules[operands->number] = machine->initial.rules[operands->number];
    }
}

static void remember(struct machine *machine, const struct operands *operands)
{
    (void)operands;
    if (machine->remembered_count == STATES_MAX) {
        machine->program.failed = true;
        return;
    }
    machine->remembered[machine->remembered_count++] = machine->now;
}

static void restore_state(struct machine *machine, const struct operands *operands)
{
    (void)operands;
    if (machine->remembered_count == 0) {
        machine->program.failed = true;
        return;
    }
    machine->now = machine->remembered[--machine->remembered_count];
}

static void set_cfa_register(struct machine *machine, const struct operands *operands)
{
    struct dj_cfi_rule *cfa = &machine->now.cfa;
    machine->program.failed |= operands->number >= DJ_CFI_REGISTERS;
    cfa->offset = cfa->kind == DJ_CFI_REGISTER ? cfa->offset : 0;
    cfa->kind = DJ_CFI_REGISTER;
    cfa->other = (uint8_t)operands->number;
}

static void set_cfa_offset(struct machine *machine, const struct operands *operands)
{
    machine->program.failed |= machine->now.cfa.kind != DJ_CFI_REGISTER;
    machine->now.cfa.offset = operands->value;
}

static void set_cfa(struct machine *machine, const struct operands *operands)
{
    set_cfa_register(machine, operands);
    set_cfa_offset(machine, operands);
}

static void set_cfa_expression(struct machine *machine, const struct operands *operands)
{
    machine->now.cfa = (struct dj_cfi_rule){.kind = DJ_CFI_EXPRESSION,
                                            .size = (uint32_t)operands->size,
                                            .expression = operands->bytes};
}

struct instruction {
    enum operand first, second;
    void (*execute)(struct machine *machine, const struct operands *operands);
};

/* Instructions of call frame information, indexed by opcode. */
static const struct instruction instructions[] = {
    [0x00] = {NONE, NONE, skip},                       /* DW_CFA_nop */
    [0x01] = {POINTER, NONE, set_address},             /* DW_CFA_set_loc */
    [0x02] = {BYTES_1, NONE, advance},                 /* DW_CFA_advance_loc1 */
    [0x03] = {BYTES_2, NONE, advance},                 /* DW_CFA_advance_loc2 */
    [0x04] = {BYTES_4, NONE, advance},                 /* DW_CFA_advance_loc4 */
    [0x05] = {NUMBER, FACTORED, save_at_cfa},          /* DW_CFA_offset_extended */
    [0x06] = {NUMBER, NONE, restore},                  /* DW_CFA_restore_extended */
    [0x07] = {NUMBER, NONE, set_undefined},            /* DW_CFA_undefined */
    [0x08] = {NUMBER, NONE, set_same},                 /* DW_CFA_same_value */
    [0x09] = {NUMBER, VALUE, save_in_register},        /* DW_CFA_register */
    [0x0a] = {NONE, NONE, remember},                   /* DW_CFA_remember_state */
    [0x0b] = {NONE, NONE, restore_state},              /* DW_CFA_restore_state */
    [0x0c] = {NUMBER, VALUE, set_cfa},                 /* DW_CFA_def_cfa */
    [0x0d] = {NUMBER, NONE, set_cfa_register},         /* DW_CFA_def_cfa_register */
    [0x0e] = {VALUE, NONE, set_cfa_offset},            /* DW_CFA_def_cfa_offset */
    [0x0f] = {BLOCK, NONE, set_cfa_expression},        /* DW_CFA_def_cfa_expression */
    [0x10] = {NUMBER, BLOCK, save_at_expression},      /* DW_CFA_expression */
    [0x11] = {NUMBER, SIGNED_FACTORED, save_at_cfa},   /* DW_CFA_offset_extended_sf */
    [0x12] = {NUMBER, SIGNED_FACTORED, set_cfa},       /* DW_CFA_def_cfa_sf */
    [0x13] = {SIGNED_FACTORED, NONE, set_cfa_offset},  /* DW_CFA_def_cfa_offset_sf */
    [0x14] = {NUMBER, FACTORED, save_cfa_plus},        /* DW_CFA_val_offset */
    [0x15] = {NUMBER, SIGNED_FACTORED, save_cfa_plus}, /* DW_CFA_val_offset_sf */
    [0x16] = {NUMBER, BLOCK, save_expression},         /* DW_CFA_val_expression */
    [0x1d] = {BYTES_8, NONE, advance},                 /* DW_CFA_MIPS_advance_loc8 */
    /* On arm64, this instruction toggles whether return addresses are signed. It can be
     * skipped, because the signature of each return address is removed anyway. */
    [0x2d] = {NONE, NONE, skip},
    [0x2e] = {VALUE, NONE, skip},             /* DW_CFA_GNU_args_size */
    [0x2f] = {NUMBER, NEGATIVE, save_at_cfa}, /* DW_CFA_GNU_negative_offset_extended */
};

/* Executes one of the three instructions that have an operand in the lower six bits of
 * their opcode. */
static bool execute_short(struct machine *machine, uint8_t opcode)
{
    enum { ADVANCE = 1, OFFSET, RESTORE };
    struct operands operands = {.number = opcode & 0x3f, .value = opcode & 0x3f};
    switch (opcode >> 6) {
    case ADVANCE:
        advance(machine, &operands);
        return true;
    case OFFSET:
        read_operand(machine, FACTORED, &operands);
        save_at_cfa(machine, &operands);
        return true;
    case RESTORE:
        restore(machine, &operands);
        return true;
    default:
        return false;
    }
}

static bool execute_program(struct machine *machine, struct dj_cfi_cursor program)
{
    machine->program = program;
    for (size_t i = 0;
         i < INSTRUCTIONS_MAX && dj_cfi_cursor_rest(&machine->program) > 0 &&
         !machine->program.failed && !machine->is_done;
         i++) {
        struct operands operands = {0};
        uint8_t opcode = (uint8_t)dj_cfi_cursor_read_number(&machine->program, 1);
        if (execute_short(machine, opcode)) {
            continue;
        }
        if (opcode >= COUNT_OF(instructions) || instructions[opcode].execute == NULL) {
            return false;
        }
        read_operand(machine, instructions[opcode].first, &operands);
        read_operand(machine, instructions[opcode].second, &operands);
        if (!machine->program.failed) {
            instructions[opcode].execute(machine, &operands);
        }
    }
    return !machine->program.failed;
}

bool dj_cfi_row_compute(const struct dj_cfi_section *section,
                        const struct dj_cfi_entry *entry, uint64_t address,
                        struct dj_cfi_row *row)
{
    struct machine machine;
    machine.section = section;
    machine.entry = entry;
    machine.here = entry->start;
    machine.target = address;
    machine.remembered_count = 0;
    machine.is_done = false;
    memset(&machine.now, 0, sizeof(machine.now));
    memset(&machine.initial, 0, sizeof(machine.initial));
    if (!execute_program(&machine, entry->initial)) {
        return false;
    }
    machine.initial = machine.now;
    if (!execute_program(&machine, entry->program) ||
        machine.now.cfa.kind == DJ_CFI_SAME) {
        return false;
    }
    row->cfa = machine.now.cfa;
    row->return_register = entry->return_register;
    row->is_signal = entry->is_signal;
    row->rule_count = 0;
    for (size_t i = 0; i < DJ_CFI_REGISTERS; i++) {
        if (machine.now.rules[i].kind != DJ_CFI_SAME) {
            row->rules[row->rule_count++] = machine.now.rules[i];
        }
    }
    return true;
}
