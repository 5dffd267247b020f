#include "serve/state.h"

#include <stdarg.h>
#include <stdio.h>

void dj_serve_log(const struct dj_server *server, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    if (server->options.log != NULL) {
        server->options.log->send(server->options.log->user, message);
    }
}
