#include "cli/verbs.h"
#include "reference/reference.h"
#include "reference/values.h"

#include <criterion/criterion.h>

static enum dj_value_source source_of(const char *value)
{
    const struct dj_option option = {"x", 0, DJ_OPTION_STRING, 0, value, "y"};
    return dj_values_of_option(&option);
}

Test(values, the_name_of_a_value_says_where_it_comes_from)
{
    cr_assert_eq(source_of("FILE"), DJ_VALUES_FILES);
    cr_assert_eq(source_of("FILE|URL"), DJ_VALUES_FILES);
    cr_assert_eq(source_of("FILE.lua"), DJ_VALUES_FILES);
    cr_assert_eq(source_of("DIR"), DJ_VALUES_FOLDERS);
    cr_assert_eq(source_of("CMD"), DJ_VALUES_COMMANDS);
    cr_assert_eq(source_of("DEVICE"), DJ_VALUES_WORDS);
    cr_assert_eq(source_of("N|off"), DJ_VALUES_NONE);
    cr_assert_eq(source_of("TIME"), DJ_VALUES_NONE);
}

Test(values, an_enumeration_offers_its_words)
{
    const struct dj_option option = {"x", 0, DJ_OPTION_CHOICE, 0, "a|bc|d", "y"};
    struct dj_text text = {0};
    dj_values_append_option_words(&text, &option);
    cr_assert_str_eq(dj_text_get(&text), "a bc d");
    dj_text_finish(&text);
}

Test(completions, every_shell_offers_every_verb_option_and_choice)
{
    static void (*const shells[])(struct dj_text *) = {
        dj_reference_append_bash, dj_reference_append_zsh, dj_reference_append_fish};
    for (size_t s = 0; s < 3; s++) {
        struct dj_text script = {0};
        shells[s](&script);
        for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
            const struct dj_verb *verb = dj_cli_verb_at(i);
            cr_assert(strstr(dj_text_get(&script), verb->name) != NULL, "%s", verb->name);
            for (size_t k = 0; k < verb->option_count; k++) {
                struct dj_text words = {0};
                cr_assert(strstr(dj_text_get(&script), verb->options[k].name) != NULL,
                          "shell %zu: %s --%s", s, verb->name, verb->options[k].name);
                if (dj_values_of_option(&verb->options[k]) == DJ_VALUES_WORDS &&
                    strcmp(verb->options[k].value, "DEVICE") != 0) {
                    dj_values_append_option_words(&words, &verb->options[k]);
                    cr_assert(strstr(dj_text_get(&script), dj_text_get(&words)) != NULL,
                              "shell %zu: %s", s, dj_text_get(&words));
                }
                dj_text_finish(&words);
            }
        }
        dj_text_finish(&script);
    }
}
