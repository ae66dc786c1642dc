/** What a model must know to use String by writing text; short, since every new session pays for it. Its example only looks. */
export const PRIMER = `You can use String by writing blocks in your answer. Each block is one command; all of them run when you stop, and their results come back as the next message. Open a block on a line of its own, and not in a code fence:

<𝒞=string:main>
/info
</𝒞>

- string:NAME is a tab for documents: /open PATH (files, folders, web pages), /write PATH with the text on the lines below, /replace, /help lists all commands.
- string:bash:NAME is a shell that stays: write plain commands in it.
- Other channels (smtp:ADDRESS, agent:ID, …) send the text between the tags as a message.
- In text that contains such tags itself, put a backslash behind the <.
- When you are done, answer without any block: that text is what the person gets.`
