#include <criterion/criterion.h>
#include <string.h>

#include "stacks/cfi/row.h"

static const struct dj_cfi_section no_section;

/* def_cfa rsp 8; offset ra cfa−8 */
static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};

static bool compute(const uint8_t *program, size_t size, uint64_t address,
                    struct dj_cfi_row *row)
{
    const struct dj_cfi_entry entry = {
        .start = 0x100,
        .end = 0x200,
        .code_factor = 1,
        .data_factor = (uint64_t)-8,
        .return_register = 16,
        .initial = dj_cfi_cursor_of(initial, sizeof(initial)),
        .program = dj_cfi_cursor_of(program, size),
    };
    return dj_cfi_row_compute(&no_section, &entry, address, row);
}

#define COMPUTE(ADDRESS, ROW, ...)                                                       \
    compute((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}), (ADDRESS), \
            (ROW))

static const struct dj_cfi_rule *find_rule(const struct dj_cfi_row *row, uint8_t number)
{
    for (size_t i = 0; i < row->rule_count; i++) {
        if (row->rules[i].number == number) {
            return &row->rules[i];
        }
    }
    return NULL;
}

Test(program, follows_a_prologue)
{
    struct dj_cfi_row row;
    /* 0x101: push rbp. 0x104: mov rbp, rsp. 0x120: leave. */
#define PROLOGUE 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x5c, 0x0c, 7, 8, 0xc6
    cr_assert(COMPUTE(0x100, &row, PROLOGUE));
    cr_expect_eq(row.cfa.other, 7);
    cr_expect_eq(row.cfa.offset, 8);
    cr_expect_null(find_rule(&row, 6));
    cr_assert(COMPUTE(0x101, &row, PROLOGUE));
    cr_expect_eq(row.cfa.offset, 16);
    cr_expect_eq((int64_t)find_rule(&row, 6)->offset, -16);
    cr_assert(COMPUTE(0x11f, &row, PROLOGUE));
    cr_expect_eq(row.cfa.other, 6);
    cr_expect_eq(row.cfa.offset, 16);
    cr_assert(COMPUTE(0x120, &row, PROLOGUE));
    cr_expect_eq(row.cfa.other, 7);
    cr_expect_null(find_rule(&row, 6), "the register is restored");
    cr_expect_eq((int64_t)find_rule(&row, 16)->offset, -8);
}

Test(program, remembers_and_restores_states)
{
    struct dj_cfi_row row;
    /* remember; +1: offset 32; +1: restore; +1: offset 24 */
    cr_assert(COMPUTE(0x101, &row, 0x0a, 0x41, 0x0e, 32, 0x41, 0x0b, 0x41, 0x0e, 24));
    cr_expect_eq(row.cfa.offset, 32);
    cr_assert(COMPUTE(0x102, &row, 0x0a, 0x41, 0x0e, 32, 0x41, 0x0b, 0x41, 0x0e, 24));
    cr_expect_eq(row.cfa.offset, 8);
    cr_assert(COMPUTE(0x103, &row, 0x0a, 0x41, 0x0e, 32, 0x41, 0x0b, 0x41, 0x0e, 24));
    cr_expect_eq(row.cfa.offset, 24);
    cr_expect_not(COMPUTE(0x103, &row, 0x0b), "nothing was remembered");
}

Test(program, knows_every_kind_of_rule)
{
    struct dj_cfi_row row;
    cr_assert(COMPUTE(0x100, &row, 0x05, 3, 2, /* offset_extended */
                      0x07, 16,                /* undefined */
                      0x09, 12, 13,            /* register */
                      0x10, 14, 2, 0x77, 0x10, /* expression */
                      0x11, 15, 0x7f,          /* offset_extended_sf: +8 */
                      0x14, 0, 3,              /* val_offset */
                      0x15, 1, 0x7e,           /* val_offset_sf: +16 */
                      0x16, 2, 1, 0x30,        /* val_expression */
                      0x2f, 4, 2,              /* negative offset: +16 */
                      0x2e, 16,                /* args_size */
                      0x08, 5));               /* same_value */
    cr_expect_eq((int64_t)find_rule(&row, 3)->offset, -16);
    cr_expect_eq(find_rule(&row, 16)->kind, DJ_CFI_UNDEFINED);
    cr_expect_eq(find_rule(&row, 12)->kind, DJ_CFI_REGISTER);
    cr_expect_eq(find_rule(&row, 12)->other, 13);
    cr_expect_eq(find_rule(&row, 14)->kind, DJ_CFI_AT_EXPRESSION);
    cr_expect_eq(find_rule(&row, 14)->size, 2);
    cr_expect_eq((int64_t)find_rule(&row, 15)->offset, 8);
    cr_expect_eq(find_rule(&row, 0)->kind, DJ_CFI_CFA_PLUS);
    cr_expect_eq((int64_t)find_rule(&row, 0)->offset, -24);
    cr_expect_eq((int64_t)find_rule(&row, 1)->offset, 16);
    cr_expect_eq(find_rule(&row, 2)->kind, DJ_CFI_EXPRESSION);
    cr_expect_eq((int64_t)find_rule(&row, 4)->offset, 16);
    cr_expect_null(find_rule(&row, 5));
}

Test(program, defines_the_cfa_in_every_way)
{
    struct dj_cfi_row row;
    cr_assert(COMPUTE(0x100, &row, 0x12, 6, 0x7e)); /* def_cfa_sf: rbp + 16 */
    cr_expect_eq(row.cfa.other, 6);
    cr_expect_eq(row.cfa.offset, 16);
    cr_assert(COMPUTE(0x100, &row, 0x13, 0x7d)); /* def_cfa_offset_sf: + 24 */
    cr_expect_eq(row.cfa.offset, 24);
    cr_assert(COMPUTE(0x100, &row, 0x0f, 2, 0x76, 0x08)); /* def_cfa_expression */
    cr_expect_eq(row.cfa.kind, DJ_CFI_EXPRESSION);
    cr_expect_eq(row.cfa.size, 2);
    cr_expect_not(COMPUTE(0x100, &row, 0x0f, 1, 0x30, 0x0e, 8), "no register to add to");
}

Test(program, advances_by_1_2_4_and_8_bytes)
{
    struct dj_cfi_row row;
    cr_assert(COMPUTE(0x110, &row, 0x02, 0x10, 0x0e, 16, 0x03, 0x10, 0, 0x0e, 24, 0x04,
                      0x10, 0, 0, 0, 0x0e, 32, 0x1d, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0e,
                      40));
    cr_expect_eq(row.cfa.offset, 16);
    cr_assert(COMPUTE(0x13f, &row, 0x02, 0x10, 0x0e, 16, 0x03, 0x10, 0, 0x0e, 24, 0x04,
                      0x10, 0, 0, 0, 0x0e, 32, 0x1d, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0e,
                      40));
    cr_expect_eq(row.cfa.offset, 32);
    cr_assert(COMPUTE(0x140, &row, 0x02, 0x10, 0x0e, 16, 0x03, 0x10, 0, 0x0e, 24, 0x04,
                      0x10, 0, 0, 0, 0x0e, 32, 0x1d, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0e,
                      40));
    cr_expect_eq(row.cfa.offset, 40);
}

Test(program, skips_registers_without_pointers)
{
    struct dj_cfi_row row;
    cr_assert(COMPUTE(0x100, &row, 0x05, 72, 2, 0x07, 0x80, 0x80, 0x04, 0x06, 90));
    cr_expect_eq(row.rule_count, 1);
}

Test(program, refuses_damaged_programs)
{
    struct dj_cfi_row row;
    static const uint8_t nested[] = {0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a,
                                     0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a};
    cr_expect_not(COMPUTE(0x100, &row, 0x0e), "truncated operand");
    cr_expect_not(COMPUTE(0x100, &row, 0x10, 3, 0x7f, 1), "truncated expression");
    cr_expect_not(COMPUTE(0x100, &row, 0x3f), "unknown instruction");
    cr_expect_not(COMPUTE(0x100, &row, 0x0d, 99), "the CFA needs a known register");
    cr_expect_not(compute(nested, sizeof(nested), 0x100, &row), "too many states");
}
