#include "cli/arguments.h"

#include <string.h>

#include "history/url.h"
#include "memory/memory.h"

/* Behind "--store="; or the whole. */
static char *place_in(char *argument)
{
    char *value = argument[0] == '-' ? strchr(argument, '=') : NULL;
    return value != NULL ? value + 1 : argument;
}

/* The system shows the bytes that were here when the program began. */
static void hide(char **argument)
{
    char *place = place_in(*argument);
    struct dj_text shown = {0};
    dj_url_show(place, &shown);
    size_t length = strlen(place);
    if (strcmp(dj_xtext(&shown), place) != 0) {
        *argument = dj_xstrdup(*argument); /* for as long as the program runs */
        memset(place, 0, length);
        memcpy(place, shown.data, shown.length < length ? shown.length : length);
    }
    dj_text_finish(&shown);
}

void dj_arguments_hide(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (dj_url_is_postgres(place_in(argv[i]))) {
            hide(&argv[i]);
        }
    }
}
