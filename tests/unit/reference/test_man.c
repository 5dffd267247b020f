#include "cli/help.h"
#include "cli/verbs.h"
#include "reference/reference.h"

#include <criterion/criterion.h>

static const struct dj_verb example = {
    .name = "try it",
    .synopsis = "[OPTION]… FILE",
    .summary = "try a \\ thing",
    .description = "First. Second.\n.x\tstarts with a dot\n",
    .exit_codes = "4\tno data\n",
    .examples = &(const struct dj_example){"Try", "dejank try it"},
    .example_count = 1,
    .options =
        &(const struct dj_option){"out", 'o', DJ_OPTION_STRING, 0, "FILE", "write"},
    .option_count = 1,
};

Test(man, a_page_has_all_parts_of_a_verb)
{
    static const char *const parts[] = {
        ".Dd January 2, 2026\n.Dt DEJANK-TRY-IT 1\n",
        ".Nm dejank-try-it\n.Nd try a \\e thing\n",
        ".Nm dejank try it\n[OPTION]\\[u2026] FILE\n",
        ".Sh DESCRIPTION\nFirst.\nSecond.\n",
        ".It \"\\&.x\"\nstarts with a dot\n.El\n",
        ".It \"\\&\\-o, \\-\\-out FILE\"\nwrite\n",
        ".It \"\\&4\"\nno data\n",
        "Try\n.Bd -literal -offset indent\n$ dejank try it\n.Ed\n",
    };
    struct dj_text text = {0};
    dj_reference_append_page(&text, &example, dj_str_of("January 2, 2026"));
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        cr_assert(strstr(dj_text_get(&text), parts[i]) != NULL, "%s\nin\n%s", parts[i],
                  dj_text_get(&text));
    }
    dj_text_finish(&text);
}

Test(man, the_overview_lists_every_verb)
{
    struct dj_text text = {0};
    cr_assert(dj_reference_append_overview(&text, "a\n@VERBS@\nb\n"));
    cr_assert(strstr(dj_text_get(&text), ".It Xr dejank-trace-read 1\n") != NULL);
    cr_assert(strstr(dj_text_get(&text), ".Ss Measure\n") != NULL);
    dj_text_finish(&text);
    cr_assert_not(dj_reference_append_overview(&text, "a @VERBS@\nb\n"));
    dj_text_finish(&text);
}

Test(man, the_date_is_that_of_the_overview)
{
    cr_assert(
        dj_str_is(dj_reference_find_date("x\n.Dd May 1, 2026\n.Dt"), "May 1, 2026"));
    cr_assert_eq(dj_reference_find_date("no date\n").length, 0);
}
