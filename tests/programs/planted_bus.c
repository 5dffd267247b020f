/* A D-Bus call of the planted program, and the slow peer that replies to it. */
#include "planted.h"

#ifdef PLANTED_DBUS
#include <dbus/dbus.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

static const char path[] = "/org/example/planted", interface[] = "org.example.Planted";
static DBusConnection *bus;

bool bus_built_in(void)
{
    return true;
}

void bus_connect(const char *address)
{
    DBusError error = DBUS_ERROR_INIT;
    bus = dbus_connection_open_private(address, &error);
    if (bus == NULL || !dbus_bus_register(bus, &error)) {
        errno = ECONNREFUSED;
        fail(error.message);
    }
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
}

void bus_call(const char *peer, int64_t ns)
{
    dbus_int64_t asked = ns;
    DBusMessage *call = dbus_message_new_method_call(peer, path, interface, "Work");
    dbus_message_append_args(call, DBUS_TYPE_INT64, &asked, DBUS_TYPE_INVALID);
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply =
        dbus_connection_send_with_reply_and_block(bus, call, 5000, &error);
    dbus_message_unref(call);
    if (reply == NULL) {
        errno = EPROTO;
        fail(error.message);
    }
    dbus_message_unref(reply);
}

void bus_close(void)
{
    if (bus != NULL) {
        dbus_connection_close(bus);
        dbus_connection_unref(bus);
    }
}

static void answer(DBusMessage *call, bool busy)
{
    dbus_int64_t ns = 0;
    dbus_message_get_args(call, NULL, DBUS_TYPE_INT64, &ns, DBUS_TYPE_INVALID);
    if (busy) {
        burn(ns);
    } else {
        sleep_until(now_ns() + ns);
    }
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_connection_send(bus, reply, NULL);
    dbus_connection_flush(bus);
    dbus_message_unref(reply);
}

int bus_peer(const char *address, const char *name, const char *thread, bool busy)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    name_thread(thread);
    bus_connect(address);
    if (dbus_bus_request_name(bus, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) !=
        DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
        errno = EADDRINUSE;
        fail(name);
    }
    printf("ready\n");
    fflush(stdout);
    while (dbus_connection_read_write(bus, -1)) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus)) != NULL) {
            if (dbus_message_is_method_call(message, interface, "Work")) {
                answer(message, busy);
            }
            dbus_message_unref(message);
        }
    }
    return 0;
}

#else
#include <errno.h>

bool bus_built_in(void)
{
    return false;
}

void bus_connect(const char *address)
{
    errno = ENOSYS;
    fail(address);
}

void bus_call(const char *peer, int64_t ns)
{
    (void)peer;
    (void)ns;
}

void bus_close(void)
{
}

int bus_peer(const char *address, const char *name, const char *thread, bool busy)
{
    (void)name;
    (void)thread;
    (void)busy;
    bus_connect(address);
    return 1;
}
#endif
