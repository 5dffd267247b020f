#include "compare/verdict.h"

#include <criterion/criterion.h>

Test(verdict, each_verdict_has_its_name)
{
    cr_assert_str_eq(dj_compare_verdict_name(DJ_VERDICT_LIKELY_REGRESSION),
                     "likely-regression");
}

Test(verdict, cap_changes_only_hard_verdicts)
{
    cr_assert_eq(dj_compare_verdict_cap(DJ_VERDICT_REGRESSION),
                 DJ_VERDICT_LIKELY_REGRESSION);
    cr_assert_eq(dj_compare_verdict_cap(DJ_VERDICT_IMPROVEMENT),
                 DJ_VERDICT_LIKELY_IMPROVEMENT);
    cr_assert_eq(dj_compare_verdict_cap(DJ_VERDICT_EQUIVALENT), DJ_VERDICT_EQUIVALENT);
    cr_assert_eq(dj_compare_verdict_cap(DJ_VERDICT_INCONCLUSIVE),
                 DJ_VERDICT_INCONCLUSIVE);
}
