#include <criterion/criterion.h>
#include <string.h>

#include "plan/class_words.h"

static char buffer[DJ_CLASS_BUFFER];
static struct dj_device_class class;
static struct dj_error failure;

Test(class_words, class_is_found_by_its_name)
{
    cr_expect_eq(dj_plan_class_parse("low-end", buffer, &class, &failure), 0);
    cr_expect_str_eq(class.name, "low-end");
    cr_expect_gt(class.need_count, 0);
}

Test(class_words, conditions_are_separated_by_commas)
{
    cr_expect_eq(dj_plan_class_parse("ram < 3 GB, width >= 600 dp, model=Pixel", buffer,
                                     &class, &failure),
                 0, "%s", failure.message);
    cr_expect_eq(class.need_count, 2);
    cr_expect_str_eq(class.model, "Pixel");
}

Test(class_words, unknown_fact_is_refused)
{
    cr_expect_eq(dj_plan_class_parse("colour = red", buffer, &class, &failure),
                 DJ_E_USAGE);
    cr_expect_not_null(strstr(failure.message, "colour = red"));
}

Test(class_words, too_many_words_are_refused)
{
    char words[2 * DJ_CLASS_BUFFER];
    memset(words, 'x', sizeof(words) - 1);
    words[sizeof(words) - 1] = '\0';
    cr_expect_eq(dj_plan_class_parse(words, buffer, &class, &failure), DJ_E_USAGE);
}
