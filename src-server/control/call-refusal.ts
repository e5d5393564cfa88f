/** A command cannot do what it was asked. The message is a sentence without its full stop, for whoever has typed it. */
export class CallRefusal extends Error {}
