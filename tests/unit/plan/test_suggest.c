#include "plan/suggest.h"

#include <criterion/criterion.h>

Test(distance, counts_edits)
{
    static const struct {
        const char *a, *b;
        size_t edits;
    } rows[] = {
        {"", "", 0},           {"", "abc", 3},
        {"abc", "", 3},        {"parse", "parse", 0},
        {"prase", "parse", 1}, /* swapped */
        {"pars", "parse", 1},  {"parsse", "parse", 1},
        {"purse", "parse", 1}, {"kitten", "sitting", 3},
        {"ab", "ba", 1},       {"abc", "ca", 3},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_str a = dj_str_of(rows[i].a), b = dj_str_of(rows[i].b);
        cr_assert_eq(dj_suggest_distance(a, b), rows[i].edits, "%s %s", rows[i].a,
                     rows[i].b);
        cr_assert_eq(dj_suggest_distance(b, a), rows[i].edits, "%s %s", rows[i].b,
                     rows[i].a);
    }
}

Test(distance, long_words_are_far_apart)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmno"; /* 41 */
    cr_assert_eq(dj_suggest_distance(dj_str_of(word), dj_str_of(word)), 41);
    struct dj_str forty = {word, 40};
    cr_assert_eq(dj_suggest_distance(forty, forty), 0);
}

/* Returns the suggestion for a word out of three verbs, or "". */
static const char *suggest(const char *word)
{
    static const char *const verbs[] = {"parse", "profile", "list"};
    struct dj_suggestion suggestion = {.word = dj_str_of(word)};
    for (size_t i = 0; i < 3; i++) {
        dj_plan_suggestion_add(&suggestion, dj_str_of(verbs[i]), dj_str_of(verbs[i]));
    }
    return suggestion.best.length > 0 ? suggestion.best.at : "";
}

Test(suggestion, the_most_similar_word_is_suggested)
{
    cr_assert_str_eq(suggest("prase"), "parse");
    cr_assert_str_eq(suggest("profil"), "profile");
    cr_assert_str_eq(suggest("lits"), "list");
}

Test(suggestion, a_word_that_resembles_none_has_no_suggestion)
{
    cr_assert_str_eq(suggest("frobnicate"), "");
    cr_assert_str_eq(suggest(""), "");
    cr_assert_str_eq(suggest("x"), "");
    cr_assert_str_eq(suggest("pa"), "");
    cr_assert_str_eq(suggest("purge"), ""); /* two edits of five letters */
}
