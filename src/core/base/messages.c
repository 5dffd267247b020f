#include "base/messages.h"

#include <stdarg.h>
#include <stdio.h>

void dj_message(const struct dj_messages *messages, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    messages->send(messages->user, message);
}
