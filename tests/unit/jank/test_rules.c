#include <criterion/criterion.h>
#include <string.h>

#include "jank/rules.h"

Test(rules, are_found_by_their_slugs)
{
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        const struct dj_jank_rule *rule = dj_jank_rule_get((enum dj_jank_rule_id)i);
        enum dj_jank_rule_id id;
        cr_assert(dj_jank_rule_find(rule->slug, &id), "%s", rule->slug);
        cr_expect_eq(id, i);
        cr_expect_gt(strlen(rule->formula), 10, "%s", rule->slug);
        cr_expect_gt(strlen(rule->source), 5, "%s", rule->slug);
    }
}

Test(rules, others_are_not_found)
{
    enum dj_jank_rule_id id;
    cr_expect_not(dj_jank_rule_find("", &id));
    cr_expect_not(dj_jank_rule_find("perfdog", &id));
    cr_expect_not(dj_jank_rule_find("list", &id));
}

Test(rules, a_slug_names_one_rule_and_all_names_every_rule)
{
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        enum dj_jank_rule_id id = (enum dj_jank_rule_id)i;
        cr_expect(dj_jank_rule_is_named(id, "all"));
        cr_expect_eq(dj_jank_rule_is_named(id, "perfdog-jank"),
                     id == DJ_JANK_PERFDOG_JANK);
        cr_expect_not(dj_jank_rule_is_named(id, "perfdog"));
    }
}
