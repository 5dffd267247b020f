#include "cli/options.h"

#include <string.h>

#include "frame/dialect.h"

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

bool dj_cli_option_choice(const struct dj_option *option, size_t index,
                          struct dj_str *word)
{
    if (option->kind == DJ_OPTION_RELEASE) {
        const struct dj_dialect *dialect = dj_frame_dialect_at(index);
        *word = dj_str_of(dialect != NULL ? dialect->name : "");
        return dialect != NULL;
    }
    return (option->kind == DJ_OPTION_CHOICE || option->kind == DJ_OPTION_FORM_CHOICE) &&
           dj_cli_alternative(option->value, index, word);
}
