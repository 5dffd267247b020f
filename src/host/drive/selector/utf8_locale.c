#include "drive/selector/utf8_locale.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t utf8;

static void create_locale(void)
{
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

locale_t dj_utf8_locale_begin(void)
{
    pthread_once(&once, create_locale);
    return utf8 != (locale_t)0 ? uselocale(utf8) : uselocale((locale_t)0);
}

void dj_utf8_locale_end(locale_t before)
{
    uselocale(before);
}
