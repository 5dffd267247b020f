#include "facts/run_outcome.h"

#include <criterion/criterion.h>
#include <string.h>

Test(run_outcome, find_reverses_name)
{
    for (int i = 0; i < DJ_RUN_OUTCOMES; i++) {
        enum dj_run_outcome found = DJ_RUN_OUTCOMES;
        const char *name = dj_facts_outcome_name((enum dj_run_outcome)i);
        cr_expect(dj_facts_outcome_find(name, &found));
        cr_expect_eq(found, (enum dj_run_outcome)i, "%s", name);
        cr_expect_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
    }
    cr_expect_str_eq(dj_facts_outcome_name(DJ_RUN_OK), "ok");
    cr_expect_str_eq(dj_facts_outcome_name(DJ_RUN_NOT_IN_GFXINFO), "not-in-gfxinfo");
    cr_expect_str_eq(dj_facts_outcome_name(DJ_RUN_INTERRUPTED), "interrupted");
}

Test(run_outcome, unknown_names_are_not_found)
{
    static const char *const unknown_names[] = {"", "OK", "ok ", "app",
                                                "no-frames-at-all"};
    for (size_t i = 0; i < sizeof(unknown_names) / sizeof(unknown_names[0]); i++) {
        enum dj_run_outcome found = DJ_RUN_SCREEN_OFF;
        cr_expect_not(dj_facts_outcome_find(unknown_names[i], &found));
        cr_expect_eq(found, DJ_RUN_SCREEN_OFF);
    }
}
