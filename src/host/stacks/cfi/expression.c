#include "stacks/cfi/expression.h"

enum { STACK_MAX = 64, OPERATIONS_MAX = 1024 };

struct computation {
    const struct dj_cfi_registers *registers;
    const struct dj_cfi_memory *memory;
    const uint8_t *bytes;
    struct dj_cfi_cursor cursor;
    uint64_t stack[STACK_MAX];
    size_t depth;
};

static void push(struct computation *c, uint64_t value)
{
    if (c->depth == STACK_MAX) {
        c->cursor.failed = true;
        return;
    }
    c->stack[c->depth++] = value;
}

static uint64_t pop(struct computation *c)
{
    if (c->depth == 0) {
        c->cursor.failed = true;
        return 0;
    }
    return c->stack[--c->depth];
}

static void push_element(struct computation *c, uint64_t from_top)
{
    if (from_top >= c->depth) {
        c->cursor.failed = true;
        return;
    }
    push(c, c->stack[c->depth - 1 - from_top]);
}

static void push_register(struct computation *c, uint64_t number, uint64_t offset)
{
    uint64_t value = 0;
    c->cursor.failed |= !dj_cfi_registers_get(c->registers, number, &value);
    push(c, value + offset);
}

static void dereference(struct computation *c, size_t size)
{
    uint64_t value = 0;
    c->cursor.failed |=
        size < 1 || size > 8 || !dj_cfi_memory_read(c->memory, pop(c), size, &value);
    push(c, value);
}

/* Adds `distance` to the position in the expression if `condition` is not 0. */
static void jump(struct computation *c, uint64_t distance, uint64_t condition)
{
    uint64_t target = (uint64_t)(c->cursor.at - c->bytes) + distance;
    if (condition == 0) {
        return;
    }
    if (target > (uint64_t)(c->cursor.end - c->bytes)) {
        c->cursor.failed = true;
        return;
    }
    c->cursor.at = c->bytes + target;
}

enum {
    OP_ADDRESS = 0x03,
    OP_DEREF = 0x06,
    OP_CONST1U = 0x08,
    OP_CONST8S = 0x0f,
    OP_CONSTU = 0x10,
    OP_CONSTS = 0x11,
    OP_DUP = 0x12,
    OP_DROP = 0x13,
    OP_OVER = 0x14,
    OP_PICK = 0x15,
    OP_SWAP = 0x16,
    OP_ROT = 0x17,
    OP_ABS = 0x19,
    OP_AND = 0x1a,
    OP_DIV = 0x1b,
    OP_MINUS = 0x1c,
    OP_MOD = 0x1d,
    OP_MUL = 0x1e,
    OP_NEG = 0x1f,
    OP_NOT = 0x20,
    OP_OR = 0x21,
    OP_PLUS = 0x22,
    OP_PLUS_UCONST = 0x23,
    OP_SHL = 0x24,
    OP_SHR = 0x25,
    OP_SHRA = 0x26,
    OP_XOR = 0x27,
    OP_BRA = 0x28,
    OP_EQ = 0x29,
    OP_GE = 0x2a,
    OP_GT = 0x2b,
    OP_LE = 0x2c,
    OP_LT = 0x2d,
    OP_NE = 0x2e,
    OP_SKIP = 0x2f,
    OP_LIT0 = 0x30,
    OP_LIT31 = 0x4f,
    OP_BREG0 = 0x70,
    OP_BREG31 = 0x8f,
    OP_BREGX = 0x92,
    OP_DEREF_SIZE = 0x94,
    OP_NOP = 0x96,
};

static uint64_t shift_signed(uint64_t value, uint64_t count)
{
    uint64_t sign = value >> 63 != 0 ? UINT64_MAX : 0;
    if (count == 0) {
        return value;
    }
    return count > 63 ? sign : value >> count | sign << (64 - count);
}

static uint64_t divide(uint64_t one, uint64_t two)
{
    bool is_overflow = one == UINT64_C(1) << 63 && two == UINT64_MAX;
    return is_overflow ? one : (uint64_t)((int64_t)one / (int64_t)two);
}

/* Executes an operation with two operands. Returns false if `operation` is not one of
 * them. */
static bool combine(struct computation *c, uint8_t operation)
{
    if (operation < OP_AND || operation > OP_NE || operation == OP_NEG ||
        operation == OP_NOT || operation == OP_PLUS_UCONST || operation == OP_BRA) {
        return false;
    }
    uint64_t two = pop(c), one = pop(c), value = 0;
    int64_t left = (int64_t)one, right = (int64_t)two;
    if (two == 0 && (operation == OP_DIV || operation == OP_MOD)) {
        c->cursor.failed = true;
        return true;
    }
    switch (operation) {
    case OP_AND:
        value = one & two;
        break;
    case OP_DIV:
        value = divide(one, two);
        break;
    case OP_MINUS:
        value = one - two;
        break;
    case OP_MOD:
        value = one % two;
        break;
    case OP_MUL:
        value = one * two;
        break;
    case OP_OR:
        value = one | two;
        break;
    case OP_PLUS:
        value = one + two;
        break;
    case OP_SHL:
        value = two > 63 ? 0 : one << two;
        break;
    case OP_SHR:
        value = two > 63 ? 0 : one >> two;
        break;
    case OP_SHRA:
        value = shift_signed(one, two);
        break;
    case OP_XOR:
        value = one ^ two;
        break;
    case OP_EQ:
        value = left == right;
        break;
    case OP_GE:
        value = left >= right;
        break;
    case OP_GT:
        value = left > right;
        break;
    case OP_LE:
        value = left <= right;
        break;
    case OP_LT:
        value = left < right;
        break;
    default:
        value = left != right;
    }
    push(c, value);
    return true;
}

/* Executes an operation that pushes a constant or a register. Returns false if
 * `operation` is not one of them. */
static bool push_value(struct computation *c, uint8_t operation)
{
    struct dj_cfi_cursor *cursor = &c->cursor;
    if (operation >= OP_LIT0 && operation <= OP_LIT31) {
        push(c, operation - OP_LIT0);
    } else if (operation >= OP_BREG0 && operation <= OP_BREG31) {
        push_register(c, operation - OP_BREG0, dj_cfi_cursor_read_sleb(cursor));
    } else if (operation >= OP_CONST1U && operation <= OP_CONST8S) {
        unsigned index = operation - OP_CONST1U;
        size_t size = (size_t)1 << index / 2;
        push(c, index % 2 == 0 ? dj_cfi_cursor_read_number(cursor, size)
                               : dj_cfi_cursor_read_signed(cursor, size));
    } else if (operation == OP_CONSTU) {
        push(c, dj_cfi_cursor_read_uleb(cursor));
    } else if (operation == OP_CONSTS) {
        push(c, dj_cfi_cursor_read_sleb(cursor));
    } else if (operation == OP_ADDRESS) {
        push(c, dj_cfi_cursor_read_number(cursor, 8));
    } else if (operation == OP_BREGX) {
        uint64_t number = dj_cfi_cursor_read_uleb(cursor);
        push_register(c, number, dj_cfi_cursor_read_sleb(cursor));
    } else {
        return false;
    }
    return true;
}

static void rotate(struct computation *c)
{
    uint64_t first = pop(c), second = pop(c), third = pop(c);
    push(c, first);
    push(c, third);
    push(c, second);
}

static void swap(struct computation *c)
{
    uint64_t first = pop(c), second = pop(c);
    push(c, first);
    push(c, second);
}

/* Executes any other operation. Returns false if it is not supported. */
static bool execute_other(struct computation *c, uint8_t operation)
{
    uint64_t value;
    switch (operation) {
    case OP_DEREF:
        dereference(c, 8);
        return true;
    case OP_DEREF_SIZE:
        dereference(c, (size_t)dj_cfi_cursor_read_number(&c->cursor, 1));
        return true;
    case OP_DUP:
        push_element(c, 0);
        return true;
    case OP_DROP:
        pop(c);
        return true;
    case OP_OVER:
        push_element(c, 1);
        return true;
    case OP_PICK:
        push_element(c, dj_cfi_cursor_read_number(&c->cursor, 1));
        return true;
    case OP_SWAP:
        swap(c);
        return true;
    case OP_ROT:
        rotate(c);
        return true;
    case OP_ABS:
        value = pop(c);
        push(c, value >> 63 != 0 ? 0 - value : value);
        return true;
    case OP_NEG:
        push(c, 0 - pop(c));
        return true;
    case OP_NOT:
        push(c, ~pop(c));
        return true;
    case OP_PLUS_UCONST:
        push(c, pop(c) + dj_cfi_cursor_read_uleb(&c->cursor));
        return true;
    case OP_SKIP:
        value = dj_cfi_cursor_read_signed(&c->cursor, 2);
        jump(c, value, 1);
        return true;
    case OP_BRA:
        value = dj_cfi_cursor_read_signed(&c->cursor, 2);
        jump(c, value, pop(c));
        return true;
    default:
        return operation == OP_NOP;
    }
}

bool dj_cfi_expression_compute(const struct dj_cfi_rule *rule, const uint64_t *first,
                               const struct dj_cfi_registers *registers,
                               const struct dj_cfi_memory *memory, uint64_t *result)
{
    struct computation c;
    c.registers = registers;
    c.memory = memory;
    c.bytes = rule->expression;
    c.cursor = dj_cfi_cursor_of(rule->expression, rule->size);
    c.depth = 0;
    if (first != NULL) {
        push(&c, *first);
    }
    size_t count = 0;
    while (!c.cursor.failed && dj_cfi_cursor_rest(&c.cursor) > 0) {
        uint8_t operation = (uint8_t)dj_cfi_cursor_read_number(&c.cursor, 1);
        if (++count > OPERATIONS_MAX ||
            (!push_value(&c, operation) && !combine(&c, operation) &&
             !execute_other(&c, operation))) {
            return false;
        }
    }
    *result = pop(&c);
    return !c.cursor.failed;
}
