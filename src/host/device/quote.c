#include "device/quote.h"

#include <string.h>

/* Characters that need no quotes. '=' is missing on purpose, because a first word with
 * '=' would be an assignment. */
static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-";

void dj_device_quote_word(struct dj_text *text, const char *word)
{
    size_t length = strlen(word);
    if (length > 0 && strspn(word, plain) == length) {
        dj_text_append(text, word, length);
        return;
    }
    dj_text_append(text, "'", 1);
    for (const char *at = word; *at != '\0'; at++) {
        dj_text_append(text, *at == '\'' ? "'\\''" : at, *at == '\'' ? 4 : 1);
    }
    dj_text_append(text, "'", 1);
}

void dj_device_quote_command(struct dj_text *text, const char *const *argv)
{
    for (size_t i = 0; argv[i] != NULL; i++) {
        if (i > 0) {
            dj_text_append(text, " ", 1);
        }
        dj_device_quote_word(text, argv[i]);
    }
}
