#include "cli/options.h"

#include <string.h>

#include "base/count_of.h"
#include "frame/dialect.h"
#include "jank/rules.h"

bool dj_cli_option_is_form(const struct dj_option *option)
{
    return option->kind == DJ_OPTION_FORM || option->kind == DJ_OPTION_FORM_CHOICE;
}

bool dj_cli_alternative(const char *alternatives, size_t index, struct dj_str *word)
{
    for (; index > 0; index--) {
        alternatives += strcspn(alternatives, "|");
        if (*alternatives == '\0') {
            return false;
        }
        alternatives++;
    }
    *word = (struct dj_str){alternatives, strcspn(alternatives, "|")};
    return true;
}

static bool get_jank_rule(size_t index, struct dj_str *word)
{
    static const char *const others[] = {"all", "list"};
    if (index >= DJ_JANK_RULES + COUNT_OF(others)) {
        return false;
    }
    *word = dj_str_of(index < DJ_JANK_RULES
                          ? dj_jank_rule_get((enum dj_jank_rule_id)index)->slug
                          : others[index - DJ_JANK_RULES]);
    return true;
}

bool dj_cli_option_choice(const struct dj_option *option, size_t index,
                          struct dj_str *word)
{
    if (option->kind == DJ_OPTION_RELEASE) {
        const struct dj_dialect *dialect = dj_frame_dialect_at(index);
        *word = dj_str_of(dialect != NULL ? dialect->name : "");
        return dialect != NULL;
    }
    if (option->kind == DJ_OPTION_JANK_RULE) {
        return get_jank_rule(index, word);
    }
    return (option->kind == DJ_OPTION_CHOICE || option->kind == DJ_OPTION_FORM_CHOICE) &&
           dj_cli_alternative(option->value, index, word);
}
