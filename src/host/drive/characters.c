#include "drive/characters.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t utf8;

static void make(void)
{
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

locale_t dj_characters_begin(void)
{
    pthread_once(&once, make);
    return utf8 != (locale_t)0 ? uselocale(utf8) : uselocale((locale_t)0);
}

void dj_characters_end(locale_t before)
{
    uselocale(before);
}
