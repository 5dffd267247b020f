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

int dj_capture_stacks_check(const struct dj_capture_stacks *stacks, struct dj_error *err)
{
    if (stacks->rate_hz > DJ_CAPTURE_STACK_RATE_MOST_HZ) {
        return dj_error_set(err, DJ_E_USAGE,
                            "the rate of stacks: expected at most %d per second",
                            DJ_CAPTURE_STACK_RATE_MOST_HZ);
    }
    if (stacks->stack_bytes != 0 && (stacks->stack_bytes < DJ_CAPTURE_STACK_BYTES_LEAST ||
                                     stacks->stack_bytes > DJ_CAPTURE_STACK_BYTES_MOST)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "the size of stacks: expected %d to %d bytes",
                            DJ_CAPTURE_STACK_BYTES_LEAST, DJ_CAPTURE_STACK_BYTES_MOST);
    }
    return 0;
}
