#include <criterion/criterion.h>
#include <string.h>

#include "report/terminal/table.h"

static const struct dj_text_table_column columns[] = {{"name", false}, {"runs", true}};
static struct dj_text_table table;
static struct dj_text text;

static void setup(void)
{
    dj_table_init(&table, columns, 2);
}

static void teardown(void)
{
    dj_table_finish(&table);
    dj_text_finish(&text);
}

TestSuite(text_table, .init = setup, .fini = teardown);

Test(text_table, columns_are_as_wide_as_their_longest_cell)
{
    dj_table_add(&table, "a");
    dj_table_format(&table, "%d", 3);
    dj_table_add(&table, "longer");
    dj_table_format(&table, "%d", 12345);
    dj_table_append(&table, "", &text);
    cr_expect_str_eq(dj_text_get(&text), "name     runs\n"
                                         "a           3\n"
                                         "longer  12345\n");
}

Test(text_table, indent_precedes_every_line)
{
    dj_table_add(&table, "a");
    dj_table_add(&table, "1");
    dj_table_append(&table, "> ", &text);
    cr_expect_str_eq(dj_text_get(&text), "> name  runs\n> a        1\n");
}

Test(text_table, null_is_an_unknown_value)
{
    dj_table_add(&table, NULL);
    dj_table_add(&table, "1");
    dj_table_append(&table, "", &text);
    cr_expect_str_eq(dj_text_get(&text), "name  runs\n–        1\n");
}

Test(text_table, control_characters_are_escaped)
{
    dj_table_add(&table, "a\nb");
    dj_table_add(&table, "1");
    dj_table_append(&table, "", &text);
    cr_expect_null(strstr(dj_text_get(&text), "a\nb"));
}
