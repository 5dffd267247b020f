#include "cli/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "history/url.h"

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
    char *copy = dj_text_copy(*argument, strlen(*argument));
    size_t length = strlen(place);
    if (!shown.failed && copy != NULL && strcmp(dj_text_get(&shown), place) != 0) {
        memset(place, 0, length);
        memcpy(place, dj_text_get(&shown), shown.length < length ? shown.length : length);
        *argument = copy; /* for as long as the program runs */
        copy = NULL;
    }
    free(copy);
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
