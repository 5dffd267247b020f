#include "capture/stack_options.h"

#include "base/str.h"

bool dj_capture_stacks_parse(const char *words, struct dj_capture_stacks *stacks)
{
    struct dj_str rest = dj_str_of(words[0] != '\0' ? words : "cpu");
    bool valid = true;
    stacks->cpu = stacks->waits = false;
    while (valid && rest.length > 0) {
        size_t length = 0;
        while (length < rest.length && rest.at[length] != ',') {
            length++;
        }
        struct dj_str word = {rest.at, length};
        bool *member = dj_str_is(word, "cpu")     ? &stacks->cpu
                       : dj_str_is(word, "waits") ? &stacks->waits
                                                  : NULL;
        valid = member != NULL && !*member && length + 1 != rest.length;
        if (valid) {
            *member = true;
        }
        rest = dj_str_from(rest, length < rest.length ? length + 1 : length);
    }
    return valid;
}
