#include "cli/verbs.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const char *find(int argc, const char *first, const char *second, int *words)
{
    char one[32], two[32];
    char *argv[] = {one, two, NULL};
    snprintf(one, sizeof(one), "%s", first);
    snprintf(two, sizeof(two), "%s", second);
    const struct dj_verb *verb = dj_verb_find(argc, argv, words);
    return verb != NULL ? verb->name : "";
}

Test(verbs, a_verb_is_found_by_one_word_or_two)
{
    int words;
    cr_assert_str_eq(find(2, "parse", "read", &words), "parse");
    cr_assert_eq(words, 1);
    cr_assert_str_eq(find(2, "trace", "read", &words), "trace read");
    cr_assert_eq(words, 2);
}

Test(verbs, a_part_of_a_name_is_no_verb)
{
    int words;
    cr_assert_str_eq(find(1, "trace", "", &words), "");
    cr_assert_str_eq(find(2, "trace", "rea", &words), "");
    cr_assert_str_eq(find(1, "par", "", &words), "");
    cr_assert_str_eq(find(1, "parser", "", &words), "");
    cr_assert_str_eq(find(0, "parse", "", &words), "");
}

Test(verbs, the_first_of_two_words_is_a_topic)
{
    cr_assert(dj_verb_is_topic("trace"));
    cr_assert_not(dj_verb_is_topic("parse"));
    cr_assert_not(dj_verb_is_topic("tra"));
    cr_assert_not(dj_verb_is_topic(""));
}

Test(verbs, a_topic_starts_once)
{
    struct dj_str topic;
    int count = 0;
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        if (dj_cli_verb_starts_topic(i, &topic)) {
            cr_assert(dj_str_is(topic, "trace"));
            count++;
        }
    }
    cr_assert_eq(count, 1);
}
